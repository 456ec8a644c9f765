import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { ignoredField } from '#shared/ignored-field.ts'
import { imageUrlSchema } from '#shared/image-url-schema.ts'
import { requiredTextSchema } from '#shared/required-text.ts'
import { EmailParams } from '#store/identity/contract.ts'

/** The profile of an account. Fields never filled in are ''. `name` and `email` are those of the account. */
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

/** The fields of a profile that are not the account's. */
export const profileFieldNames = ['picture', 'education', 'location', 'phone', 'linkedIn'] as const

/** How many changes of profiles are listed at a time. */
export const maxProfileChangesListed = 50

/** What an admin has overwritten of somebody else's profile. */
export const ProfileChange = z
  .object({
    _id: z.int(),
    email: z.string().meta({ description: 'of the account whose profile it is' }),
    before: Profile.omit({ name: true, email: true }).partial().meta({ description: 'the fields that were overwritten, as they were' }),
    by: z.string().nullable().meta({ description: 'e-mail of the admin' }),
    at: z.iso.datetime(),
  })
  .meta({ id: 'ProfileChange' })
export type ProfileChange = z.infer<typeof ProfileChange>

/** Optional: missing or empty is ''. Other text is validated by `schema`. */
const optionalText = (schema: z.ZodType<string, string>) =>
  z
    .string('This is text, or empty')
    .trim()
    .default('')
    .transform((text, { addIssue }): string => {
      if (text === '') return ''
      const parsed = schema.safeParse(text)
      for (const { message } of parsed.error?.issues ?? []) addIssue(message)
      return parsed.data ?? z.NEVER
    })

/** The profile form: education and LinkedIn link are optional. Validated in the form and again on the server. */
export const profileForm = z.object({
  picture: imageUrlSchema('picture is required'),
  education: optionalText(requiredTextSchema('education is required', 500)),
  location: requiredTextSchema('location is required', 500),
  // text, not a number, which would lose the "+", spaces and leading zeros of "+49 171 987"
  phone: z
    .union([z.string(), z.number().transform(String)], 'phone is required')
    .pipe(
      requiredTextSchema('phone is required', 40).regex(/^\+?[\s()./-]*\d[\d\s()./-]*$/, 'A phone number has digits, like +1 555 010 0199'),
    ),
  linkedIn: optionalText(
    requiredTextSchema('LinkedIn link is required', 500)
      .transform(ensureScheme)
      .refine(isHttpUrl, 'This is not a link, like linkedin.com/in/your-name'),
  ),
})

/** Users often enter links without a scheme: adds https. */
function ensureScheme(link: string): string {
  return /^[a-z][\w+.-]*:/i.test(link) ? link : `https://${link}`
}

function isHttpUrl(link: string): boolean {
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
    security: bearerAuth,
    params: EmailParams,
    response: { 200: z.array(Profile), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const saveProfile = {
  method: 'PUT',
  url: '/users/:email',
  schema: {
    tags,
    summary: 'Update a profile',
    description: "Name and e-mail are the account's, whatever stands in the body.",
    security: bearerAuth,
    params: EmailParams,
    body: profileForm.extend({ name: ignoredField, email: ignoredField }),
    response: { 200: Profile, default: ErrorResponse },
  },
} as const satisfies Endpoint

/** The id of a change. */
const changeId = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

export const listProfileChanges = {
  method: 'GET',
  url: '/profile-changes',
  schema: {
    tags,
    summary: `What admins have overwritten of others' profiles within 90 days, ${maxProfileChangesListed} changes, newest first (owners)`,
    description: 'Without the profiles of removed accounts.',
    security: bearerAuth,
    querystring: z.object({
      before: changeId.optional().meta({ description: 'the `_id` of a change: answers those that were made before it' }),
    }),
    response: { 200: z.array(ProfileChange), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const undoProfileChange = {
  method: 'POST',
  url: '/profile-changes/:id/undo',
  schema: {
    tags,
    summary: 'Put back what a change has overwritten of a profile (owners)',
    description: 'The other fields stay as they are. What this overwrites is recorded as well.',
    security: bearerAuth,
    params: z.object({ id: changeId }),
    response: { 200: Profile, default: ErrorResponse },
  },
} as const satisfies Endpoint
