const form = document.getElementById("login");
const answers = {
  403: "This token is not a person's. One for this page is made with: modicum team token new NAME --for person",
  429: "Too many tries. Wait a moment.",
};
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const token = form.elements.token.value.trim();
  const wrong = document.getElementById("wrong");
  if (/[^\x21-\x7e]/.test(token)) {
    wrong.textContent = "A token has letters, digits and signs only.";
    return;
  }
  const reply = await fetch("/web/login", {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: "{}",
  }).catch(() => null);
  if (reply?.ok) {
    localStorage.setItem("modicum-word", (await reply.json()).word);
    location.reload();
  } else wrong.textContent = answers[reply?.status] ?? "The server does not know this token.";
});
