import { connectProver, type ProgressEvent } from 'pippin-prover/extension';
import { byId } from '../../groth16-commitment/src/dom.js';
import { NoteForm } from './note-form.js';
import { NOTES } from './notes.js';
import { send } from './requests.js';
import { SpendView } from './spend-view.js';
import { onSpendChange, readSpend, type Spend } from './spends.js';

/** Milliseconds between two tries to follow a proof that the document does not have yet. */
const FOLLOW_AGAIN_MS = 250;

/**
 * The popup. It shows the spend that the service worker keeps, and hears of the proof's progress from the document that proves. It may be closed
 * at any time, and another one may be open.
 */
const prover = connectProver();
const view = new SpendView(byId('spend', HTMLElement), {
  cancel: (id) => void send({ type: 'cancel', id }),
  again: () => void send({ type: 'clear' }),
});
const form = new NoteForm(
  byId('form', HTMLFormElement),
  NOTES,
  (note, recipient) => void send({ type: 'spend', note, recipient }),
);

let shown: Spend | undefined;
onSpendChange(show);
show(await readSpend());
// The service worker may have been ended meanwhile.
await send({ type: 'look' });

function show(spend: Spend | undefined): void {
  const begins = spend?.state === 'proving' && shown?.id !== spend.id;
  shown = spend;
  document.documentElement.dataset.state = spend?.state ?? 'choosing';
  form.show(spend === undefined);
  view.show(spend);
  if (begins) void follow(spend.id);
}

/** Shows the progress of a proof until it has ended; what became of it comes from the service worker. */
async function follow(id: string): Promise<void> {
  const isShown = (): boolean => shown?.id === id && shown.state === 'proving';
  const onProgress = (event: ProgressEvent): void => {
    if (event.kind === 'progress' && isShown()) view.progress(event.phase, event.done, event.total);
  };
  while (isShown()) {
    try {
      await prover.result(id, { onProgress });
    } catch {
      // It has failed, was aborted, or is not known to the document yet.
    }
    await new Promise((resolve) => setTimeout(resolve, FOLLOW_AGAIN_MS));
    await send({ type: 'look' });
  }
}
