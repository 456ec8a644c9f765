import { and, inArray, or, type SQL, sql } from 'drizzle-orm'
import { type AttributeDefinition, allCategories, type Category } from '#store/catalogue/categories.ts'
import { choiceForm } from '#store/catalogue/choice-spelling.ts'
import { m2SizePattern, m2Sizes } from '#store/catalogue/m2-sizes.ts'
import { numberBounds } from '#store/catalogue/product-attributes.ts'
import { products } from '#store/catalogue/table.ts'
import type { ParsedQuery } from './parsed-query.ts'

/** The conditions of a query on attributes, as `column-filters.ts` has them. */
export const attributeConditions = ({ selectedValues, excludedValues, ranges, unknownKeys }: ParsedQuery): (SQL | undefined)[] => [
  ...[...new Set([...selectedValues.keys(), ...ranges.keys(), ...unknownKeys])].map((key) => {
    const { min, max } = ranges.get(key) ?? {}
    const chosen = selectedValues.get(key)
    const asked = and(
      chosen && hasChoiceSql(key, chosen),
      min === undefined ? undefined : sql`${numberSql(key)} >= ${min}::float8`,
      max === undefined ? undefined : sql`${numberSql(key)} <= ${max}::float8`,
    )
    return or(asked, unknownKeys.has(key) ? isUnknownSql(key) : undefined)
  }),
  ...[...excludedValues].map(([key, excluded]) => sql`not (${hasChoiceSql(key, excluded)})`),
]

/** The number that a product has for an attribute; null if it is not known. A derived one is computed as `pricePerUnit` does it. */
export function numberSql(key: string): SQL {
  const derived = definitionsOf(key).flatMap(({ category, attribute }) =>
    attribute.derived ? sql`when ${isOfCategory(category)} then ${pricePerUnitSql(attribute.derived.price_per)}` : [],
  )
  const instead = definitionsOf(key).flatMap(({ category, attribute: { orElse } }) =>
    orElse === undefined ? [] : sql`case when ${isOfCategory(category)} then ${statedNumberSql(orElse)} end`,
  )
  const stated = sql`coalesce(${sql.join([statedNumberSql(key), ...instead], sql`, `)})`
  return derived.length > 0 ? sql`case ${sql.join(derived, sql` `)} else ${stated} end` : stated
}

/** As `isAllowedChoice` has it: what measures nothing is no number, and only temperatures are below zero. */
function statedNumberSql(key: string): SQL {
  const number = sql`(${products.specs} ->> ${key}::text)::numeric`
  const least = definitionsOf(key).some(({ attribute }) => attribute.unit === '°C') ? -numberBounds.most : 0
  return sql`case when jsonb_typeof(${products.specs} -> ${key}::text) = 'number' then
    case when ${number} >= ${least}::numeric and (${number} = 0 or abs(${number}) between ${numberBounds.least}::numeric and ${numberBounds.most}::numeric)
      then ${number}::float8 end end`
}

function pricePerUnitSql(key: string): SQL {
  const units = statedNumberSql(key)
  const exact = sql`(${products.priceCents} / 100.0 / ${units})`
  return sql`case when ${units} > 0
    then round(${exact}::numeric, case when ${exact} >= 1 then 2 else least(9, 2 - floor(log(${exact})))::int end)::float8 end`
}

/** Whether the category of a product has the attribute and the product does not state it. */
function isUnknownSql(key: string): SQL {
  const ofCategories = definitionsOf(key).flatMap(({ category, attribute }) => {
    if (attribute.kind === 'text') return []
    return (
      and(isOfCategory(category), attribute.kind === 'number' ? sql`${numberSql(key)} is null` : sql`not ${hasSomeChoiceSql(key)}`) ?? []
    )
  })
  return or(...ofCategories) ?? sql`false`
}

const definitionsOf = (key: string): { category: Category; attribute: AttributeDefinition }[] =>
  allCategories().flatMap((category) => category.attributes.flatMap((attribute) => (attribute.key === key ? { category, attribute } : [])))

const isOfCategory = ({ key, aliases }: Category): SQL => inArray(products.category, [key, ...aliases])

const hasChoiceSql = (key: string, chosen: string[]): SQL =>
  sql`exists (select from ${choicesSql(key)} and ${choiceFormSql(sql`choice`)} = any(${sql.param(chosen.map(choiceForm))}::text[]))`

const hasSomeChoiceSql = (key: string): SQL => sql`exists (select from ${choicesSql(key)})`

/** The choices that a product has for an attribute, as `facetValues` has them. */
function choicesSql(key: string): SQL {
  const isCounted = definitionsOf(key).some(({ attribute }) => attribute.counted)
  const text = sql`said #>> '{}'`
  const names = isCounted ? sql`regexp_split_to_table(regexp_replace(${text}, '(^|,)\\s*\\d+ ?x ?', '\\1', 'gi'), ',')` : text
  return sql`(
    select case jsonb_typeof(said) when 'boolean' then case ${text} when 'true' then 'Yes' else 'No' end else trim(named) end as choice
    from jsonb_path_query(${products.specs} -> ${key}::text, '$[*]') as said, lateral (select ${names} as named) as names
    where jsonb_typeof(said) in ('string', 'boolean') or jsonb_typeof(said) = 'number' and (${text})::float8 >= 0
    union all
    select name from jsonb_path_query(${products.specs} -> ${key}::text, '$[*]') as said,
      lateral (select name, count from jsonb_each(case when jsonb_typeof(said) = 'object' then said else '{}' end) as named(name, count)) as counts
    where ${isCounted ? sql`jsonb_typeof(count) = 'number' and count > '0'` : sql`false`}
    union all
    select said ->> 'speed' from jsonb_path_query(${products.specs} -> ${key}::text, '$[*]') as said where jsonb_typeof(said -> 'speed') = 'string'
    union all
    select 'M.2 ' || one from jsonb_path_query(${products.specs} -> ${key}::text, '$[*]') as said,
      regexp_matches(said ->> 'size', ${m2SizePattern}, 'g') as sizes, unnest(${sql.param([...m2Sizes])}::text[]) as one
    where jsonb_typeof(said -> 'size') = 'string' and jsonb_typeof(said -> 'key') = 'string' and said ->> 'key' like '%M%' and substr(one, 3)::int between sizes[1]::int and coalesce(sizes[2], sizes[1])::int
  ) as choices where lower(trim(choice)) not in ('', 'unknown')`
}

/** As `choiceForm` has it. */
const choiceFormSql = (text: SQL): SQL =>
  sql`regexp_replace(trim(regexp_replace(lower(${text}), '[\\s,_-]+', ' ', 'g')), '(?<!\\d) | (?!\\d)', '', 'g')`
