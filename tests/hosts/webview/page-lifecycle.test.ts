import { beforeEach, expect, it } from 'vitest';
import { PageLifecycle } from '../../../sdk/hosts/webview/page-lifecycle.js';

/** A document whose visibility can be set. */
class FakeDocument extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible';

  become(state: DocumentVisibilityState): void {
    this.visibilityState = state;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

let page: { window: EventTarget; document: FakeDocument };
let told: string[];
let lifecycle: PageLifecycle;
let stop: () => void;

beforeEach(() => {
  page = { window: new EventTarget(), document: new FakeDocument() };
  told = [];
  const tell = (name: string) => () => void told.push(name);
  lifecycle = new PageLifecycle(page, {
    onVisible: tell('visible'),
    onHidden: tell('hidden'),
    onFreeze: tell('freeze'),
    onResume: tell('resume'),
    onLeave: tell('leave'),
  });
  stop = lifecycle.watch();
});

const transition = (type: string, persisted: boolean): Event => Object.assign(new Event(type), { persisted });

it('tells what the document tells', () => {
  page.document.become('hidden');
  page.document.dispatchEvent(new Event('freeze'));
  page.document.dispatchEvent(new Event('resume'));
  page.document.become('visible');
  expect(told).toEqual(['hidden', 'freeze', 'resume', 'visible']);
});

it('takes a stay in the back-forward cache for a freeze, and any other end for leaving', () => {
  page.window.dispatchEvent(transition('pageshow', false));
  page.window.dispatchEvent(transition('pagehide', true));
  page.window.dispatchEvent(transition('pageshow', true));
  page.window.dispatchEvent(transition('pagehide', false));
  expect(told).toEqual(['freeze', 'resume', 'leave']);
});

it('goes by what the app says, once it has said it', () => {
  page.document.become('hidden');
  lifecycle.setVisible(true);
  expect(lifecycle.isVisible).toBe(true);
  page.document.become('visible');
  page.document.become('hidden');
  lifecycle.setVisible(true);
  expect(lifecycle.isVisible).toBe(true);
  lifecycle.setVisible(false);
  expect(told).toEqual(['hidden', 'visible', 'hidden']);
});

it('tells nothing after its end', () => {
  stop();
  page.document.become('hidden');
  page.document.dispatchEvent(new Event('freeze'));
  page.window.dispatchEvent(transition('pagehide', false));
  expect(told).toEqual([]);
});
