import type { CallEnd, CallName, ProverEvent } from '../../api/events.js';
import type { Notice, ProgressEvent } from '../../api/progress.js';
import type { Report } from '../../api/reports.js';
import { asPippinError } from '../../base/errors.js';
import type { Listener } from '../../base/listener.js';
import { START_CALL } from '../../engine/engine-api.js';

type Tell = (event: ProverEvent['event']) => void;

/**
 * Tells `onEvent` about all calls of a prover. What could show an input, or a proof before it is verified, is left out.
 */
export class CallEvents {
  private readonly running = new Map<number, Tell>();

  constructor(private readonly listener: Listener<ProverEvent>) {}

  /** Runs a call between an event of its begin and one of its end. */
  async around<T>(call: number, name: CallName, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const tell = this.teller(call, name);
    const end = (outcome: Pick<CallEnd, 'report' | 'error'>): void => {
      this.running.delete(call);
      tell({ kind: 'call-end', ms: performance.now() - began, ...outcome });
    };
    this.running.set(call, tell);
    tell({ kind: 'call-begin' });
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
    if (event.kind === 'commitment') return;
    const isNotice = event.kind === 'notice';
    if (isNotice && isLog(event.notice)) return;
    (this.running.get(call) ?? (isNotice ? this.teller(START_CALL, undefined) : undefined))?.(event);
  }

  private teller(call: number, name: CallName | undefined): Tell {
    return (event) => this.listener.tell({ call, name, event });
  }
}

function withoutLogs(report: Report | undefined): Report | undefined {
  return report && { ...report, notices: report.notices.filter((notice) => !isLog(notice)) };
}

function isLog({ code }: Notice): boolean {
  return code === 'CIRCUIT_LOG';
}
