import * as z from 'zod'
import known from '#content/categories.json' with { type: 'json' }

/** An attribute of the products of a category. A key of `specs` that no category defines is displayed as it is and cannot be filtered. */
export const AttributeDefinition = z.strictObject({
  /** key in `specs` */
  key: z.string().regex(/^[a-z0-9_]{1,60}$/i),
  label: z.string().min(1),
  kind: z.enum(['number', 'choice', 'yes/no', 'text']),
  unit: z.string().optional(),
  better: z.enum(['more', 'less']).optional(),
  /** whether it is a facet */
  filter: z.boolean(),
})
export type AttributeDefinition = z.infer<typeof AttributeDefinition>

export const Category = z.strictObject({
  key: z.string(),
  label: z.string(),
  /** category names in import files that map to this category */
  aliases: z.array(z.string()),
  /** search synonyms */
  words: z.array(z.string()),
  /** image of products without one of their own: `/drawings/{drawing}.svg` */
  drawing: z.string(),
  /** grams of a piece with its packing, of products whose own weight is not known */
  weightG: z.int().min(1).max(1_000_000).optional(),
  attributes: z.array(AttributeDefinition),
})
export type Category = z.infer<typeof Category>

export const categories: Category[] = z.array(Category).parse(known)

const categoriesByKey = new Map(
  categories.flatMap((category) => [category.key, ...category.aliases].map((key) => [key, category] as const)),
)

/** The category with this key or alias. */
export const categoryOf = (key: string | null): Category | undefined => (key === null ? undefined : categoriesByKey.get(key))

/** The key of the category with this key, alias or label; any other text stays as it is, and is a new category. */
export const toCategoryKey = (typed: string): string =>
  (categoryOf(typed) ?? categories.find(({ label }) => label.toLowerCase() === typed.toLowerCase()))?.key ?? typed

/** Replaces an imported category alias by the key of the category. */
export const resolveCategoryAlias = <P extends { category: string | null }>(product: P): P => ({
  ...product,
  category: categoryOf(product.category)?.key ?? product.category,
})

/** The drawing of a category, with a default for undefined categories. */
export const categoryDrawingUrl = (key: string): string => `/drawings/${categoryOf(key)?.drawing ?? 'part'}.svg`
