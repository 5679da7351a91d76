/** The lifecycle events of the page, as the platform reports them. */
export interface LifecycleListener {
  /** The page becomes visible or hidden. Its scripts continue, with timers of a second or slower. */
  onVisible(): void;
  onHidden(): void;
  /** The system is about to freeze all scripts and workers of the page, or has resumed them. */
  onFreeze(): void;
  onResume(): void;
  /** The page is about to be closed or reloaded. */
  onLeave(): void;
}

/** The source of lifecycle events: the page's window and document, or a stand-in for tests. */
export interface PageScope {
  readonly window: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  readonly document: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> & {
    readonly visibilityState: DocumentVisibilityState;
  };
}

/**
 * Watches the page: `visibilitychange` (all platforms), `freeze` and `resume` (Chromium, also Android's WebView),
 * `pagehide` and `pageshow`, which enclose a stay in the back-forward cache if they are `persisted`. An app whose
 * webview is never visible, or that knows better, reports by messages whether it is in the foreground: `setVisible`.
 */
export class PageLifecycle {
  private told: boolean | undefined;

  /** @param listener called until the function that `watch` returned is called. */
  constructor(
    private readonly scope: PageScope,
    private readonly listener: LifecycleListener,
  ) {}

  get isVisible(): boolean {
    return this.told ?? this.scope.document.visibilityState !== 'hidden';
  }

  watch(): () => void {
    const { window, document } = this.scope;
    const { listener } = this;
    const handlers: readonly [Pick<EventTarget, 'addEventListener' | 'removeEventListener'>, string, EventListener][] =
      [
        [document, 'visibilitychange', () => this.told === undefined && this.tell()],
        [document, 'freeze', () => listener.onFreeze()],
        [document, 'resume', () => listener.onResume()],
        [window, 'pagehide', (event) => (isPersisted(event) ? listener.onFreeze() : listener.onLeave())],
        [window, 'pageshow', (event) => isPersisted(event) && listener.onResume()],
      ];
    for (const [target, type, handler] of handlers) target.addEventListener(type, handler);
    return () => {
      for (const [target, type, handler] of handlers) target.removeEventListener(type, handler);
    };
  }

  /** The visibility that the app reports. From now on it overrides the page's own. */
  setVisible(visible: boolean): void {
    const before = this.isVisible;
    this.told = visible;
    if (visible !== before) this.tell();
  }

  private tell(): void {
    if (this.isVisible) this.listener.onVisible();
    else this.listener.onHidden();
  }
}

function isPersisted(event: Event): boolean {
  return (event as PageTransitionEvent).persisted === true;
}
