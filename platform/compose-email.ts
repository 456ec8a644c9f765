import { escapeHtml } from './escape-html.ts'
import type { EmailMessage } from './mail.ts'

type EmailContent = {
  to: string
  subject: string
  /** what happened and what to do, the most important first */
  paragraphs: string[]
  /** link button between the first paragraph and the others */
  action?: { words: string; url: string }
  /** further links, below the button */
  links?: { words: string; url: string }[]
  /** who sends the email, and why the recipient gets it */
  closing: string
}

/** Composes an email as plain text and HTML with the same content. The layout is narrow, supports dark mode and has no images: the letterhead is a text. */
export function composeEmail({
  to,
  subject,
  paragraphs: [first = '', ...others],
  action,
  links = [],
  closing,
}: EmailContent): EmailMessage {
  const text = [
    first,
    action && `${action.words}:\n${action.url}`,
    ...links.map(({ words, url }) => `${words}:\n${url}`),
    ...others,
    `-- \n${closing}`,
  ]
    .filter(Boolean)
    .join('\n\n')
  const paragraph = (content: string) => `<p style="margin:0 0 16px">${toEscapedHtml(content)}</p>`
  const button = action
    ? `<p style="margin:0 0 16px"><a href="${toEscapedHtml(action.url)}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#b4561f;color:#ffffff;font-weight:bold;text-decoration:none">${toEscapedHtml(action.words)}</a></p><p style="margin:0 0 16px;font-size:14px;overflow-wrap:anywhere">${toEscapedHtml(action.url)}</p>`
    : ''
  const link = ({ words, url }: { words: string; url: string }) =>
    `<p style="margin:0 0 16px;overflow-wrap:anywhere">${toEscapedHtml(words)}:<br><a href="${toEscapedHtml(url)}">${toEscapedHtml(url)}</a></p>`
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${toEscapedHtml(subject)}</title></head><body style="margin:0;padding:16px;font:16px/1.5 system-ui,sans-serif"><div style="max-width:32rem;margin:0 auto">${letterhead}${paragraph(first)}${button}${links.map(link).join('')}${others.map(paragraph).join('')}<p style="margin:24px 0 0;font-size:14px">${toEscapedHtml(closing)}</p></div></body></html>`
  return { to, subject, text, html }
}

const letterhead =
  '<div style="margin:0 0 20px;padding:12px 16px;border-radius:6px;border-bottom:3px solid #d9813f;background:#0b3b2e;color:#f4faf7;font-size:18px;font-weight:bold">Nucleus of PC</div>'

const toEscapedHtml = (text: string) => escapeHtml(text).replaceAll('\n', '<br>')
