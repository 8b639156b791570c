// The word goes where other ports and other sites cannot read it; the address with the key goes out of the history.
try {
  localStorage.setItem("modicum-word", document.querySelector('meta[name="modicum-word"]').content);
} catch {
  // The page can be read all the same.
}
location.replace("/");
