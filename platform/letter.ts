import { escapeHtml } from './escape-html.ts'
import type { Letter } from './mail.ts'

type Words = {
  to: string
  subject: string
  /** what happened and what to do, a paragraph each; the first says the most important */
  paragraphs: string[]
  /** the one thing to do next, between the first paragraph and the others */
  action?: { words: string; url: string }
  /** who writes, and why this person gets the mail */
  closing: string
}

/** One letter as text and as HTML, saying the same. Narrow and plain: readable on a phone, in a dark room and without pictures. */
export function letter({ to, subject, paragraphs: [first = '', ...others], action, closing }: Words): Letter {
  const text = [first, action && `${action.words}:\n${action.url}`, ...others, `-- \n${closing}`].filter(Boolean).join('\n\n')
  const paragraph = (words: string) => `<p style="margin:0 0 16px">${asHtml(words)}</p>`
  const button = action
    ? `<p style="margin:0 0 16px"><a href="${asHtml(action.url)}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#b4561f;color:#ffffff;font-weight:bold;text-decoration:none">${asHtml(action.words)}</a></p><p style="margin:0 0 16px;font-size:14px;overflow-wrap:anywhere">${asHtml(action.url)}</p>`
    : ''
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${asHtml(subject)}</title></head><body style="margin:0;padding:16px;font:16px/1.5 system-ui,sans-serif"><div style="max-width:32rem;margin:0 auto">${paragraph(first)}${button}${others.map(paragraph).join('')}<p style="margin:24px 0 0;font-size:14px">${asHtml(closing)}</p></div></body></html>`
  return { to, subject, text, html }
}

const asHtml = (words: string) => escapeHtml(words).replaceAll('\n', '<br>')
