import * as z from 'zod'
import known from '#content/categories.json' with { type: 'json' }

/** What is known of the parts of a category. A key of `specs` that stands in no category is shown as it is, and nothing is filtered by it. */
export const Attribute = z.strictObject({
  /** as in `specs` */
  key: z.string().regex(/^[a-z0-9_]{1,60}$/i),
  label: z.string().min(1),
  kind: z.enum(['number', 'choice', 'yes/no', 'text']),
  unit: z.string().optional(),
  better: z.enum(['more', 'less']).optional(),
  /** visitors choose by it */
  filter: z.boolean(),
})
export type Attribute = z.infer<typeof Attribute>

export const Category = z.strictObject({
  key: z.string(),
  label: z.string(),
  /** other keys under which parts of this category are imported */
  aliases: z.array(z.string()),
  /** what else people call its parts */
  words: z.array(z.string()),
  /** the picture of a part without one: `/drawings/{drawing}.svg` */
  drawing: z.string(),
  attributes: z.array(Attribute),
})
export type Category = z.infer<typeof Category>

export const categories: Category[] = z.array(Category).parse(known)

const byKey = new Map(categories.flatMap((category) => [category.key, ...category.aliases].map((key) => [key, category] as const)))

/** The category of a part, also by one of its aliases. */
export const categoryOf = (key: string | null): Category | undefined => (key === null ? undefined : byKey.get(key))

/** The picture of a category, also of one that is not known here. */
export const drawingOf = (key: string): string => `/drawings/${categoryOf(key)?.drawing ?? 'part'}.svg`
