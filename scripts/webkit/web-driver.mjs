/** Milliseconds after which a command counts as never answered; no command here waits for a proof. */
const COMMAND_MS = 60_000;

/**
 * A session of the WebDriver protocol (W3C), over HTTP: one browser, and the page that it shows. `evaluate` and
 * `waitForTimeout` are called as Playwright's are, so that what reads a page through Playwright reads this one too.
 */
export class WebDriverSession {
  /**
   * @param {string} url of the session at the driver
   * @param {{ browserName: string, browserVersion: string }} capabilities
   */
  constructor(url, capabilities) {
    this.url = url;
    this.capabilities = capabilities;
  }

  /**
   * Starts a browser.
   *
   * @param {string} driver the driver's address
   * @param {Record<string, unknown>} capabilities that the browser must have
   */
  static async start(driver, capabilities) {
    const answer = await command('POST', `${driver}/session`, { capabilities: { alwaysMatch: capabilities } });
    return new WebDriverSession(`${driver}/session/${answer.sessionId}`, answer.capabilities);
  }

  /** Opens a page and waits until it has loaded. @param {string} url */
  async goto(url) {
    await command('POST', `${this.url}/url`, { url });
  }

  /**
   * Calls a function in the page. It is sent as text, so that it uses nothing from outside of itself.
   *
   * @template T
   * @param {(...args: any[]) => T} call
   * @param {...unknown} args that can be written as JSON
   * @returns {Promise<T>}
   */
  evaluate(call, ...args) {
    return command('POST', `${this.url}/execute/sync`, { script: `return (${call}).apply(null, arguments)`, args });
  }

  /** Clicks as a visitor does. @param {string} selector */
  async click(selector) {
    const found = await command('POST', `${this.url}/element`, { using: 'css selector', value: selector });
    const [id] = Object.values(found);
    await command('POST', `${this.url}/element/${id}/click`, {});
  }

  /** @param {number} ms */
  waitForTimeout(ms) {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  /** Ends the browser. */
  async close() {
    await command('DELETE', this.url);
  }
}

/**
 * @param {'POST' | 'DELETE'} method
 * @param {string} url
 * @param {object} [body]
 * @returns {Promise<any>} the answer's value
 */
async function command(method, url, body) {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(COMMAND_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  const { value } = await response.json();
  if (response.ok) return value;
  const path = new URL(url).pathname;
  throw new Error(`expected WebDriver to answer ${method} ${path}, got ${value.error}: ${value.message}`);
}
