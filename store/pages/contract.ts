import * as z from 'zod'
import { type Call, Refused } from '#store/call.ts'

const words = 'is a text that is not empty'
const text = z.string(words).trim().min(1, words)
const address = z.string(words).regex(/^(https:\/\/|\/(?!\/))\S*$/, 'is an address that begins with / or https://')
const listOf = <Entry extends z.ZodType>(entry: Entry) => z.array(entry, 'is a list').min(1, 'has at least one entry')
const entry = <Fields extends z.ZodRawShape>(fields: Fields) => z.strictObject(fields, 'is an entry in braces')

/** What the developer tells about themselves, as it stands in `content/portfolio.json`. The messages are for whoever edits that file. */
export const Portfolio = entry({
  /** an invented person, who is shown as one */
  example: z.boolean('is true or false').default(false),
  name: text,
  role: text,
  photo: address,
  about: text,
  education: listOf(entry({ title: text, school: text, years: text, about: text.optional() })),
  skills: listOf(entry({ group: text, skills: listOf(text) })),
  projects: listOf(entry({ name: text, about: text, link: address })),
}).meta({ id: 'Portfolio' })
export type Portfolio = z.infer<typeof Portfolio>

/** What a customer may ask before and after buying, as it stands in `content/help.json`. */
export const Help = entry({
  /** invented words, which are shown as such */
  example: z.boolean('is true or false').default(false),
  /** who answers, and when */
  contact: entry({ email: z.email('is an e-mail address'), answers: text }),
  /** each with an address of its own: /help#delivery */
  chapters: listOf(
    entry({ id: z.string(words).regex(/^[a-z][a-z0-9-]*$/, 'is a word in small letters'), title: text, paragraphs: listOf(text) }),
  ),
}).meta({ id: 'Help' })
export type Help = z.infer<typeof Help>

export const showHelp = {
  method: 'GET',
  url: '/help',
  schema: { tags: ['Pages'], summary: 'Delivery, returns and whom to ask', response: { 200: Help, default: Refused } },
} as const satisfies Call

export const showPortfolio = {
  method: 'GET',
  url: '/portfolio',
  schema: { tags: ['Pages'], summary: 'The portfolio of the developer', response: { 200: Portfolio, default: Refused } },
} as const satisfies Call
