// Goes to what is chosen in a form at once.
document.querySelector("[data-choice]").addEventListener("change", (event) => event.currentTarget.submit());
