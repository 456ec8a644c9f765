import { createHash } from 'node:crypto'

/*
 * The colours of the store (`web/styles.css`), repeated here because this page is on another origin and loads nothing from the store.
 */
const DARK = `
  color-scheme: dark;
  --ink: #e8f0ec;
  --label: #b4c2bb;
  --hint: #94a49c;
  --field: #0d1411;
  --border: #67796f;
  --ring: #d9813f;
  --wrong: #ff9d92;
`

const COLOURS = `
:root {
  color-scheme: light;
  --ink: #101814;
  --label: #4a5a53;
  --hint: #5c6c65;
  --field: #ffffff;
  --border: #76877f;
  --ring: #b4561f;
  --wrong: #a8231a;
  --figures: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
:root[data-theme='dark'] {${DARK}}
@media (prefers-color-scheme: dark) {
  :root:not([data-theme]) {${DARK}}
}
`

/** A page to be framed by the shop: loads no resources, connects only to its own origin, and can be framed only by pages on loopback. */
export function selfContainedPage({ title, style, body, script }: { title: string; style: string; body: string; script: string }) {
  const inlineStyle = COLOURS + style
  const inlineScript = `'use strict';${script}`
  return {
    page: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${inlineStyle}</style>
</head>
<body>
${body}
<script>${inlineScript}</script>
</body>
</html>
`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'content-security-policy': [
        "default-src 'none'",
        `script-src '${hash(inlineScript)}'`,
        `style-src '${hash(inlineStyle)}'`,
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        'frame-ancestors http://localhost:* http://127.0.0.1:*',
      ].join('; '),
    },
  }
}

function hash(text: string): string {
  // A closing tag inside the text would end the inline element early.
  if (/<\/(script|style)/i.test(text)) throw new Error('A sealed page would end early')
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
