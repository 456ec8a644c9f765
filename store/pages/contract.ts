import * as z from 'zod'
import { type Endpoint, ErrorResponse } from '#shared/endpoint.ts'

const emptyTextMessage = 'is a text that is not empty'
const nonEmptyText = z.string(emptyTextMessage).trim().min(1, emptyTextMessage)
const linkText = z.string(emptyTextMessage).regex(/^(https:\/\/|\/(?!\/))\S*$/, 'is an address that begins with / or https://')
const nonEmptyList = <Entry extends z.ZodType>(entry: Entry) => z.array(entry, 'is a list').min(1, 'has at least one entry')
const strictEntry = <Fields extends z.ZodRawShape>(fields: Fields) => z.strictObject(fields, 'is an entry in braces')

/** The developer's portfolio in `content/portfolio.json`. The validation messages are for the person who edits that file. */
export const PortfolioContent = strictEntry({
  /** a fictitious person, labelled as an example */
  example: z.boolean('is true or false').default(false),
  name: nonEmptyText,
  role: nonEmptyText,
  photo: linkText,
  about: nonEmptyText,
  education: nonEmptyList(strictEntry({ title: nonEmptyText, school: nonEmptyText, years: nonEmptyText, about: nonEmptyText.optional() })),
  skills: nonEmptyList(strictEntry({ group: nonEmptyText, skills: nonEmptyList(nonEmptyText) })),
  projects: nonEmptyList(strictEntry({ name: nonEmptyText, about: nonEmptyText, link: linkText })),
}).meta({ id: 'Portfolio' })
export type PortfolioContent = z.infer<typeof PortfolioContent>

/** The help page for customers in `content/help.json`. */
export const Help = strictEntry({
  /** placeholder text, labelled as an example */
  example: z.boolean('is true or false').default(false),
  /** contact address and response times */
  contact: strictEntry({ email: z.email('is an e-mail address'), answers: nonEmptyText }),
  /** each with its own anchor, e.g. /help#delivery */
  chapters: nonEmptyList(
    strictEntry({
      id: z.string(emptyTextMessage).regex(/^[a-z][a-z0-9-]*$/, 'is a word in small letters'),
      title: nonEmptyText,
      paragraphs: nonEmptyList(nonEmptyText),
    }),
  ),
}).meta({ id: 'Help' })
export type Help = z.infer<typeof Help>

export const showHelp = {
  method: 'GET',
  url: '/help',
  schema: { tags: ['Pages'], summary: 'Delivery, returns and whom to ask', response: { 200: Help, default: ErrorResponse } },
} as const satisfies Endpoint

export const showPortfolio = {
  method: 'GET',
  url: '/portfolio',
  schema: { tags: ['Pages'], summary: 'The portfolio of the developer', response: { 200: PortfolioContent, default: ErrorResponse } },
} as const satisfies Endpoint
