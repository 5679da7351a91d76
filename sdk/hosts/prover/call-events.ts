import type { CallEnd, CallName, ProverEvent } from '../../api/events.js';
import type { Notice, ProgressEvent } from '../../api/progress.js';
import type { Report } from '../../api/reports.js';
import { asPippinError } from '../../base/errors.js';
import type { Listener } from '../../base/listener.js';
import { START_CALL } from '../../engine/engine-api.js';

/** Tells `onEvent` about all calls of a prover. What could show an input, or a proof before it is verified, is left out. */
export class CallEvents {
  private readonly running = new Map<number, CallName>();

  constructor(private readonly listener: Listener<ProverEvent>) {}

  /** Runs a call between an event of its begin and one of its end. */
  async around<T>(number: number, name: CallName, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const end = (outcome: Pick<CallEnd, 'report' | 'error'>): void => {
      this.running.delete(number);
      this.listener.tell({
        call: number,
        name,
        event: { kind: 'call-end', ms: performance.now() - began, ...outcome },
      });
    };
    this.running.set(number, name);
    this.listener.tell({ call: number, name, event: { kind: 'call-begin' } });
    try {
      const result = await work();
      end({ report: withoutLogs((result as { readonly report?: Report }).report) });
      return result;
    } catch (error) {
      end({ error: asPippinError(error).code });
      throw error;
    }
  }

  /** Passes on an event of the engine. After the end of a call, such as an aborted one, only notices still come. */
  pass(call: number, event: ProgressEvent): void {
    const name = this.running.get(call);
    const mayShowSecrets = event.kind === 'commitment' || (event.kind === 'notice' && isLog(event.notice));
    if (mayShowSecrets || (name === undefined && event.kind !== 'notice')) return;
    this.listener.tell({ call: name === undefined ? START_CALL : call, name, event });
  }
}

function withoutLogs(report: Report | undefined): Report | undefined {
  return report && { ...report, notices: report.notices.filter((notice) => !isLog(notice)) };
}

function isLog({ code }: Notice): boolean {
  return code === 'CIRCUIT_LOG';
}
