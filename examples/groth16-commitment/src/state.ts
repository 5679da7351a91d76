/** What the page is doing; `data-state` of the document's root element, for the style sheet and for drivers. */
export type State = 'starting' | 'ready' | 'proving' | 'verified' | 'cancelled' | 'failed';

export function isBusy(state: State): boolean {
  return state === 'starting' || state === 'proving';
}
