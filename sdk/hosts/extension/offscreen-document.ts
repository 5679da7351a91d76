import { messageOf, PippinError } from '../../base/errors.js';
import type { ExtensionApi } from './extension-api.js';

/** Opens the extension's offscreen document unless it is there, or another page opens it at the same time. Does nothing in Firefox. */
export async function openOffscreenDocument(
  { runtime, offscreen }: ExtensionApi,
  url: string,
  justification: string,
): Promise<void> {
  if (offscreen === undefined) return;
  const open = await offscreenUrl(runtime);
  if (open === url) return;
  // One that another page is just opening has no URL of the extension yet.
  if (open?.startsWith(runtime.getURL('/'))) {
    throw new PippinError('UNSUPPORTED_ENVIRONMENT', `expected ${url} as the offscreen document, got ${open}`, {
      hint: 'an extension has one offscreen document: call serveProver() in it, and give its path as `document` of connectProver',
    });
  }
  try {
    await offscreen.createDocument({ url, reasons: ['WORKERS'], justification });
  } catch (cause) {
    // Another page was quicker. Chromium has no other way to tell.
    if (/single offscreen/i.test(messageOf(cause))) return;
    throw new PippinError(
      'UNSUPPORTED_ENVIRONMENT',
      `expected the offscreen document ${url} to open: ${messageOf(cause)}`,
      {
        cause,
        hint: 'the page must be in the extension, and its scripts must run without an error',
      },
    );
  }
}

/** The URL of the offscreen document that is open, if the browser tells. */
export async function offscreenUrl(runtime: ExtensionApi['runtime']): Promise<string | undefined> {
  const contexts = await runtime.getContexts?.({ contextTypes: ['OFFSCREEN_DOCUMENT'] });
  return contexts?.[0]?.documentUrl;
}
