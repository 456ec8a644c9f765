import { escapeHtml } from '#platform/escape-html.ts'

type Mail = {
  subject: string
  from: string
  to: string
  date: string
  text: string
  html?: string | undefined
  attachments: { name: string }[]
}

/** Repeats colours, font and sizes of web/styles.css, whose file name differs in every build. */
const pageLayout = (
  title: string,
  main: string,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} | Outbox</title><link rel="icon" href="/favicon.svg" type="image/svg+xml"><style>
@font-face{font-family:Geist;src:url(/outbox/geist.woff2) format("woff2");font-weight:400 700;font-display:swap}
:root{color-scheme:light dark;--ink:light-dark(#101814,#e8f0ec);--soft:light-dark(#4a5a53,#a5b7ae);--ground:light-dark(#f6f9f7,#0d1411);--panel:light-dark(#fff,#131c18);--line:light-dark(#d9e2dd,#26342d);--green:light-dark(#0f5d46,#7cc9ab);--board:light-dark(#0b3b2e,#0a2a21)}
*{box-sizing:border-box}body{margin:0;font:1rem/1.5 Geist,system-ui,sans-serif;color:var(--ink);background:var(--ground);overflow-wrap:anywhere}
header{padding:.5rem max(1rem,50% - 26rem);background:var(--board)}main{max-width:54rem;margin:0 auto;padding:1.5rem 1rem}header a{display:inline-flex;align-items:center;gap:.5rem;font-size:1.2rem;font-weight:600;color:#f4faf7;text-decoration:none}header a:hover{text-decoration:underline;text-underline-offset:4px}
h1{margin:.5rem 0;font-size:2.0736rem;line-height:2.5rem}h1,h2{font-weight:650;letter-spacing:-.015em;text-wrap:balance}h2{margin:1.5rem 0 .5rem;font-size:1.2rem}a{color:var(--green)}p{margin:.5rem 0;color:var(--soft)}
ul{margin:1rem 0;padding:0;list-style:none;border-top:1px solid var(--line)}li{border-bottom:1px solid var(--line)}
li a{display:block;padding:.75rem .25rem;text-decoration:none;color:var(--ink)}li a:hover{background:var(--panel)}li strong{display:block;font-weight:600}li span{font-size:.875rem;color:var(--soft)}
:focus-visible{outline:3px solid var(--green);outline-offset:2px}header :focus-visible{outline-color:#d6a53a}
iframe,pre{width:100%;margin:0;border:1px solid var(--line);border-radius:6px;background:var(--panel)}iframe{height:40rem}@media(max-width:40rem){iframe{height:54rem}}pre{padding:1rem;white-space:pre-wrap;font:.875rem/1.5 ui-monospace,monospace}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem .75rem;margin:.5rem 0}dt{color:var(--soft)}dd{margin:0}
</style></head><body><header><a href="/"><img src="/mark.svg" alt="" width="32" height="32">Nucleus of PC</a></header><main>${main}</main></body></html>`

/** The list of emails, in the given order (newest first). */
export function listPage(mails: (Mail & { file: string })[]): string {
  const row = ({ file, subject, to, date }: Mail & { file: string }) =>
    `<li><a href="/outbox/${escapeHtml(file)}"><strong>${escapeHtml(subject)}</strong><span>to ${escapeHtml(to)}, ${escapeHtml(when(date))}</span></a></li>`
  return pageLayout(
    'Mails',
    `<p><a href="/">Back to the store</a></p><h1>Outbox</h1><p>What a store with a mail server would have sent, newest first. Set SMTP_URL to send it for good.</p>${
      mails.length > 0
        ? `<ul>${mails.map(row).join('')}</ul>`
        : '<img src="/drawings/no-mail.svg" alt="" width="240" height="160"><p>No mail yet. Register, or ask for a new password, and one lies here.</p>'
    }`,
  )
}

/** Shown without the access key. */
export const lockedPage = (): string =>
  pageLayout(
    'Locked',
    `<p><a href="/">Back to the store</a></p><h1>The outbox is locked</h1><p>Its mails hold links that open accounts, so it takes a key. Open the address that the store printed when it started, behind “Mails”: /outbox?key=…</p>`,
  )

/** An email as HTML and as text. */
export function emailPage(file: string, { subject, from, to, date, text, html, attachments }: Mail): string {
  const links = attachments.map(
    ({ name }, nth) => `<dd><a href="/outbox/${escapeHtml(file)}/attachments/${nth}">${escapeHtml(name)}</a></dd>`,
  )
  return pageLayout(
    subject,
    `<p><a href="/outbox">All mails</a></p><h1>${escapeHtml(subject)}</h1>
<dl><dt>From</dt><dd>${escapeHtml(from)}</dd><dt>To</dt><dd>${escapeHtml(to)}</dd><dt>Sent</dt><dd>${escapeHtml(when(date))}</dd>${links.length > 0 ? `<dt>Attached</dt>${links.join('<dt></dt>')}` : ''}</dl>
${html ? `<h2>As HTML</h2><iframe title="The mail as HTML" src="/outbox/${escapeHtml(file)}/html"></iframe>` : ''}<h2>As text</h2><pre>${linked(escapeHtml(text))}</pre>`,
  )
}

const linked = (text: string) => text.replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)
const when = (date: string) => (Number.isNaN(Date.parse(date)) ? date : new Date(date).toUTCString())
