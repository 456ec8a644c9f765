import { and, inArray, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type AttributeDefinition, allCategories, type Category } from '#store/catalogue/categories.ts'
import { choiceForm } from '#store/catalogue/choice-spelling.ts'
import { m2SizePattern, m2Sizes } from '#store/catalogue/m2-sizes.ts'
import { numberBounds } from '#store/catalogue/product-attributes.ts'
import { products } from '#store/catalogue/table.ts'
import { unitPriceBounds } from '#store/catalogue/unit-price.ts'
import type { NumberRange, ParsedQuery } from './parsed-query.ts'

/** The conditions of a query on attributes, as `column-filters.ts` has them: only categories that define an attribute have it. */
export const attributeConditions = ({
  selectedValues,
  excludedValues,
  ranges,
  unknownKeys,
  statedKeys,
}: ParsedQuery): (SQL | undefined)[] => [
  ...[...new Set([...selectedValues.keys(), ...ranges.keys(), ...unknownKeys])].map((key) => {
    const chosen = selectedValues.get(key)
    const range = ranges.get(key)
    return or(
      chosen && !range ? isChoiceSql(key, chosen) : undefined,
      chosen || range ? hasNumberSql(key, chosen, range) : undefined,
      unknownKeys.has(key) ? isUnknownSql(key) : undefined,
      sql`false`,
    )
  }),
  ...[...statedKeys].map(isStatedSql),
  ...[...excludedValues].map(([key, excluded]) => sql`not (${isChoiceSql(key, excluded)})`),
]

/** Whether the attribute is one of choices in the category of a product, and the product has one of these. */
const isChoiceSql = (key: string, chosen: string[]): SQL =>
  sql`${isOfCategories(definitionsOf(key).filter(({ attribute: { kind } }) => kind !== 'number' && kind !== 'text'))} and ${hasChoiceSql(key, chosen)}`

function hasNumberSql(key: string, chosen: string[] | undefined, { min, max }: NumberRange = {}): SQL | undefined {
  const number = orderNumberSql(key)
  const asWritten = chosen?.map(Number).filter((one, nth) => `${one}` === chosen[nth])
  return and(
    asWritten && sql`${number} = any(${sql.param(asWritten)}::float8[])`,
    min === undefined ? undefined : sql`${number} >= ${min}::float8`,
    max === undefined ? undefined : sql`${number} <= ${max}::float8`,
  )
}

/** The number by which products are filtered and sorted: null where the category has no such number. */
export const orderNumberSql = (key: string): SQL =>
  sql`case when ${isOfCategories(definitionsOf(key).filter(({ attribute }) => attribute.kind === 'number'))} then ${numberSql(key)} end`

/** The number that a product has for an attribute; null if it is not known. A derived one is computed as `pricePerUnit` does it. */
function numberSql(key: string): SQL {
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
  return sql`case when ${units} > 0 and ${exact} between ${unitPriceBounds.least}::float8 and ${unitPriceBounds.most}::float8
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

const isStatedSql = (key: string): SQL =>
  sql`${isOfCategories(definitionsOf(key).filter(({ attribute }) => attribute.kind !== 'text'))} and not coalesce(${isUnknownSql(key)}, false)`

const definitionsOf = (key: string): { category: Category; attribute: AttributeDefinition }[] =>
  allCategories().flatMap((category) => category.attributes.flatMap((attribute) => (attribute.key === key ? { category, attribute } : [])))

const isOfCategory = (category: Category): SQL => isOfCategories([{ category }])
/** False, not null, for a product without a category. */
const isOfCategories = (those: { category: Category }[]): SQL =>
  sql`coalesce(${inArray(
    products.category,
    those.flatMap(({ category: { key, aliases } }) => [key, ...aliases]),
  )}, false)`

const hasChoiceSql = (key: string, chosen: string[]): SQL =>
  sql`exists (select from ${choicesSql(key)} and ${isSpelledAsOneOf(sql`choice`, chosen)})`

const hasSomeChoiceSql = (key: string): SQL => sql`exists (select from ${choicesSql(key)})`

/** The choices that a product has for an attribute, as `facetValues` has them. */
function choicesSql(key: string): SQL {
  const isCounted = definitionsOf(key).some(({ attribute }) => attribute.counted)
  const text = sql`said #>> '{}'`
  const stated = sql`${products.specs} -> ${key}::text`
  const value =
    key === 'resolution' // two numbers are one choice
      ? sql`case when jsonb_typeof(${stated}) = 'array' and jsonb_typeof(${stated} -> 0) = 'number' and jsonb_typeof(${stated} -> 1) = 'number' and ${stated} -> 2 is null
          then to_jsonb(concat(${stated} ->> 0, ' x ', ${stated} ->> 1)) else ${stated} end`
      : stated
  const names = isCounted ? sql`regexp_split_to_table(regexp_replace(${text}, '(^|,)\\s*\\d+ ?x ?', '\\1', 'gi'), ',')` : text
  return sql`(
    select case jsonb_typeof(said) when 'boolean' then case ${text} when 'true' then 'Yes' else 'No' end else trim(named) end as choice
    from jsonb_path_query(${value}, '$[*]') as said, lateral (select ${names} as named) as names
    where jsonb_typeof(said) in ('string', 'boolean') or jsonb_typeof(said) = 'number' and (${text})::float8 >= 0
    union all
    select name from jsonb_path_query(${value}, '$[*]') as said,
      lateral (select name, count from jsonb_each(case when jsonb_typeof(said) = 'object' then said else '{}' end) as named(name, count)) as counts
    where ${isCounted ? sql`jsonb_typeof(count) = 'number' and count > '0'` : sql`false`}
    union all
    select said ->> 'speed' from jsonb_path_query(${value}, '$[*]') as said where jsonb_typeof(said -> 'speed') = 'string'
    union all
    select 'M.2 ' || one from jsonb_path_query(${value}, '$[*]') as said,
      regexp_matches(said ->> 'size', ${m2SizePattern}, 'g') as sizes, unnest(${sql.param([...m2Sizes])}::text[]) as one
    where jsonb_typeof(said -> 'size') = 'string' and jsonb_typeof(said -> 'key') = 'string' and said ->> 'key' like '%M%' and substr(one, 3)::int between sizes[1]::int and coalesce(sizes[2], sizes[1])::int
  ) as choices where lower(trim(choice)) not in ('', 'unknown')`
}

/** Whether a text is one of these values, in any of their spellings. */
export const isSpelledAsOneOf = (text: SQLWrapper, values: string[]): SQL =>
  sql`${choiceFormSql(text)} = any(${sql.param(values.map(choiceForm))}::text[])`

/** As `choiceForm` has it. */
const choiceFormSql = (text: SQLWrapper): SQL =>
  sql`regexp_replace(trim(regexp_replace(lower(${text}), '[\\s,_-]+', ' ', 'g')), '(?<!\\d) | (?!\\d)', '', 'g')`
