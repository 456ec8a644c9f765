import * as z from 'zod'
import { type Call, Refused, withToken } from '#store/call.ts'
import { ByEmail } from '#store/identity/contract.ts'
import { pictureAddress } from '#store/picture-address.ts'
import { requiredText } from '#store/required-text.ts'

/** What a person tells about themselves; what was never told is ''. `name` and `email` are the account's. */
export const Profile = z
  .object({
    name: z.string(),
    email: z.string(),
    picture: z.string(),
    education: z.string(),
    location: z.string(),
    phone: z.string(),
    linkedIn: z.string(),
  })
  .meta({ id: 'Profile' })
export type Profile = z.infer<typeof Profile>

/** May be left empty or left out, which is ''; what is said is judged by `said`. */
const optional = (said: z.ZodType<string, string>) =>
  z
    .string('This is text, or empty')
    .trim()
    .default('')
    .transform((text, { addIssue }): string => {
      if (text === '') return ''
      const read = said.safeParse(text)
      for (const { message } of read.error?.issues ?? []) addIssue(message)
      return read.data ?? z.NEVER
    })

/** What the profile form asks: education and LinkedIn link may be left empty. The screen asks this while typing, the server again. */
export const profileForm = z.object({
  picture: pictureAddress('picture is required'),
  education: optional(requiredText('education is required', 500)),
  location: requiredText('location is required', 500),
  // text, not a number: a number field would swallow "+49 171 987" and a leading 0
  phone: z
    .union([z.string(), z.number().transform(String)], 'phone is required')
    .pipe(
      requiredText('phone is required', 40).regex(/^\+?[\d\s()./-]*\d[\d\s()./-]*$/, 'A phone number has digits, like +1 555 010 0199'),
    ),
  linkedIn: optional(
    requiredText('LinkedIn link is required', 500)
      .transform(withScheme)
      .refine(isLink, 'This is not a link, like linkedin.com/in/your-name'),
  ),
})

/** People write links without https; that is what they mean. */
function withScheme(link: string): string {
  return /^[a-z][\w+.-]*:/i.test(link) ? link : `https://${link}`
}

function isLink(link: string): boolean {
  if (!URL.canParse(link)) return false
  const { protocol, hostname, username } = new URL(link)
  return /^https?:$/.test(protocol) && /^[^.\s]+(\.[^.\s]+)+$/.test(hostname) && username === ''
}

const tags = ['Profiles']

export const showProfile = {
  method: 'GET',
  url: '/user/:email',
  schema: {
    tags,
    summary: 'The profile of an account, as a list of one; empty where there is no such account',
    security: withToken,
    params: ByEmail,
    response: { 200: z.array(Profile), default: Refused },
  },
} as const satisfies Call

export const saveProfile = {
  method: 'PUT',
  url: '/users/:email',
  schema: {
    tags,
    summary: 'Update a profile',
    description: "Name and e-mail are the account's, whatever stands in the body.",
    security: withToken,
    params: ByEmail,
    body: profileForm.extend({ name: z.unknown().optional(), email: z.unknown().optional() }),
    response: { 200: Profile, default: Refused },
  },
} as const satisfies Call
