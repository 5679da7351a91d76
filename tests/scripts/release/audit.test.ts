import { expect, it } from 'vitest';
import { auditResult } from '../../../scripts/release/audit.mjs';

it('is content where no faults are known', () => {
  expect(auditResult('{ "auditReportVersion": 2, "vulnerabilities": {} }')).toMatch(/^No faults/);
});

it('fails for a known fault of any severity', () => {
  const vulnerabilities = { a: { name: 'a', severity: 'low' }, b: { name: 'b', severity: 'high' } };
  expect(() => auditResult(JSON.stringify({ vulnerabilities }))).toThrow(
    'expected no known faults in packages, got a (low), b (high)',
  );
});

it.each([
  ['{ "message": "405 Method Not Allowed", "error": { "summary": "" } }', '405 Method Not Allowed'],
  ['{ "error": { "code": "ENETUNREACH", "summary": "request failed" } }', 'request failed'],
  ['', 'npm gave no report'],
])('tells that nothing was audited when npm prints %j', (printed, reason) => {
  expect(auditResult(printed)).toContain(`NOT AUDITED, because the registry did not answer: ${reason}.`);
});
