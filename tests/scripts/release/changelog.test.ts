import { describe, expect, it } from 'vitest';
import { releaseChangelog } from '../../../scripts/release/changelog.mjs';

const before = `# Changelog

## Unreleased

### Added

- A thing.

## 0.1.0 - 2026-11-22

- The first.
`;

describe('releaseChangelog', () => {
  it('gives what is unreleased a heading of its own', () => {
    expect(releaseChangelog(before, '0.2.0', '2026-12-01')).toBe(
      before.replace('## Unreleased\n', '## Unreleased\n\n## 0.2.0 - 2026-12-01\n'),
    );
  });

  it('takes a changelog with no other version', () => {
    const first = before.slice(0, before.indexOf('## 0.1.0'));
    expect(releaseChangelog(first, '0.1.0', '2026-12-01')).toContain('## 0.1.0 - 2026-12-01\n\n### Added');
  });

  it('refuses a version of which nothing is told', () => {
    const released = releaseChangelog(before, '0.2.0', '2026-12-01');
    expect(() => releaseChangelog(released, '0.3.0', '2026-12-02')).toThrow('expected entries under "## Unreleased"');
  });

  it('refuses a changelog without the heading', () => {
    expect(() => releaseChangelog('# Changelog\n', '0.2.0', '2026-12-01')).toThrow(
      'expected a heading "## Unreleased"',
    );
  });
});
