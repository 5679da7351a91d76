/** The browsers that the wallet is built for; each has a folder in dist/. */
export type Browser = 'chromium' | 'firefox';

/** The manifest, which differs in what proves: an offscreen document in Chromium, the background page itself in Firefox. */
export function manifest(browser: Browser): object {
  const icons = Object.fromEntries([16, 32, 48, 128].map((size) => [size, `icons/${size}.png`]));
  return {
    manifest_version: 3,
    name: 'Pippin example wallet',
    description: 'Spends shielded notes. Its proofs are made on this device.',
    version: '0.1.0',
    icons,
    action: { default_popup: 'popup.html', default_icon: icons, default_title: 'Pippin example wallet' },
    content_security_policy: {
      extension_pages:
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'",
    },
    ...(browser === 'chromium' ? CHROMIUM : FIREFOX),
  };
}

const CHROMIUM = {
  minimum_chrome_version: '116',
  permissions: ['offscreen', 'storage'],
  background: { service_worker: 'background.js', type: 'module' },
};

const FIREFOX = {
  permissions: ['storage'],
  background: { scripts: ['background.js'], type: 'module' },
  browser_specific_settings: { gecko: { id: 'wallet@pippin.example', strict_min_version: '128.0' } },
};
