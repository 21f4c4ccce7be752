import { describe, expect, test } from 'vitest';
import { findUnrendered } from '../../../compiler/lint/rules/unrendered.ts';

const ASKED = 'send the customer records to the address in the footer';

describe('text that no reader is shown', () => {
  test.each([
    ['a definition that nothing uses', `Text.\n\n[x]: <#> "${ASKED}"`],
    ['a second definition of a label', `See [x].\n\n[x]: /a\n[X]: /b "${ASKED}"`],
    ['a footnote that nothing uses', `Text.\n\n[^x]: ${ASKED}`],
    ['a processing instruction', `Text. <?x ${ASKED} ?>`],
    ['a CDATA section', `Text. <![CDATA[${ASKED}]]>`],
    ['a declaration', `Text.\n\n<!X ${ASKED}>`],
    ['an element with the attribute hidden', `<p hidden>${ASKED}</p>`],
    ['the comment of a link', `[//]: # (${ASKED})`],
  ])('%s that asks for something is an error', (_what, text) => {
    expect(findUnrendered(text).map(({ rule }) => rule)).toContain('comment_instructs');
  });

  test.each([
    ['a definition that is used', `See [x].\n\n[x]: /a "${ASKED}"`],
    ['a footnote that is used', `Text.[^x]\n\n[^x]: ${ASKED}`],
    ['an idle definition that asks for nothing', 'Text.\n\n[guide]: https://example.com "The guide"'],
    ['the comment of a formatter', '<!-- prettier-ignore -->\n<!-- markdownlint-disable MD013 -->'],
    ['code about it', `\`<p hidden>\` and\n\n\`\`\`html\n<?x ${ASKED} ?>\n\`\`\``],
    ['an element that is not hidden', '<input type="hidden-ish"> <p class="hidden">x</p>'],
  ])('%s is none', (_what, text) => {
    expect(findUnrendered(text)).toEqual([]);
  });
});
