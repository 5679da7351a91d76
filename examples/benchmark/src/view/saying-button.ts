import type { Announcer } from '../../../groth16-commitment/src/view/announcer.js';

/** How long a button says what came of it, in milliseconds. */
const SAID_MS = 2000;

/** Has a button do something when it is pressed, and shows on it for a while what came of that. */
export function sayOnClick(button: HTMLButtonElement, announcer: Announcer, act: () => Promise<string>): void {
  const label = button.textContent;
  button.addEventListener('click', async () => {
    button.textContent = await act();
    announcer.say(button.textContent);
    setTimeout(() => {
      button.textContent = label;
    }, SAID_MS);
  });
}

/** Copies a text to the clipboard, and tells what came of it. */
export function copied(text: string): Promise<string> {
  // Outside of secure contexts there is no clipboard.
  return Promise.resolve(navigator.clipboard)
    .then((clipboard) => clipboard.writeText(text))
    .then(
      () => 'Copied',
      () => 'The browser did not allow it',
    );
}
