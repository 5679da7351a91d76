import type { MarkdownRenderer } from 'vitepress';

/** Gives indented blocks the look of fenced ones. Without it their long lines make a phone's page wider than its screen. */
export function codeBlocks(md: MarkdownRenderer): void {
  md.core.ruler.push('code-blocks', (state) => {
    for (const token of state.tokens) {
      if (token.type !== 'code_block') continue;
      token.type = 'fence';
      token.info = 'txt';
    }
  });
}

/** Lets the keyboard scroll pictures that are wider than a phone. */
export function pictures(md: MarkdownRenderer): void {
  md.core.ruler.push('pictures', (state) => {
    state.tokens.forEach((token, i) => {
      const isPicture = token.children?.length === 1 && token.children[0]?.type === 'image';
      if (isPicture) state.tokens[i - 1]?.attrSet('tabindex', '0');
    });
  });
}

/** A table's first column often needs no name. An empty header is none then, which would puzzle screen readers. */
export function emptyHeaders(md: MarkdownRenderer): void {
  md.core.ruler.push('empty-headers', (state) => {
    state.tokens.forEach((token, i) => {
      if (token.type !== 'th_open' || state.tokens[i + 1]?.content !== '') return;
      token.tag = 'td';
      const end = state.tokens[i + 2];
      if (end !== undefined) end.tag = 'td';
    });
  });
}
