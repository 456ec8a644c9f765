import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { type AttributeDefinition, allCategories, categoryOf } from './categories.ts'
import { leastLitresForBoard, plausibleSizes } from './plausible-sizes.ts'
import { partNumberKeySql } from './table.ts'

/** What looks wrong in a catalogue, with the first product that has it. It may be right: nothing is refused for it. */
type Oddity = { column: string; words: string; count: number; example: { row: number | null; sku: string; found: string } }

/** As many of a kind are needed before one of them can be far from the others. */
const leastForComparison = 30
/** An attribute that so many of a kind have is missed in the others. */
const expectedShare = 0.7

/**
 * What looks wrong in these products: the same part twice, a name that begins with another maker or says another size, capacity or property,
 * a price or number far from those of its kind, a price break that gives nothing, sizes that no part can have, values that are no numbers, and
 * missing attributes. The most frequent first, but what is only missing last.
 * @param parts a query of `row`, `sku`, `name`, `brand`, `mpn`, `category`, `price_cents`, `price_breaks` and `specs`
 * @param others the products that they are compared with, themselves among them; the same columns
 */
export async function findOddities(db: Database, parts: SQL, others: SQL = parts): Promise<Oddity[]> {
  const wrong = [
    await findSamePartTwice(db, parts, others),
    await findOtherMakerInName(db, parts, others),
    await findStrangePrices(db, parts, others),
    await findUselessPriceBreaks(db, parts),
    await findStrangeNumbers(db, parts, others),
    await findOtherSizeInName(db, parts),
    await findOtherCapacityInName(db, parts, others),
    await findDeniedInName(db, parts, others),
    await findImpossibleSizes(db, parts),
    await findTooSmallCases(db, parts),
  ]
  const missing = await findMissingAttributes(db, parts, others)
  return [wrong.flat(), missing].flatMap((found) => found.toSorted((one, other) => other.count - one.count))
}

/** All products for sale. */
export const productsForSaleSql: SQL = sql`
  select null::integer as row, sku, name, brand, mpn, category, price_cents, price_breaks, coalesce(specs, '{}') as specs
  from tools where removed_at is null`

/** @param found a query of `field`, `words`, `row`, `sku` and `found` */
async function group(db: Database, found: SQL): Promise<Oddity[]> {
  const { rows } = await db.execute<Oddity>(sql`
    with found as (${found}),
      firsts as (select distinct on (field, words) *, count(*) over (partition by field, words)::int as count from found order by field, words, row, sku)
    select field as "column", words, count, json_build_object('row', row, 'sku', sku, 'found', left(found, 200)) as example from firsts`)
  return rows
}

const findSamePartTwice = (db: Database, parts: SQL, others: SQL) =>
  group(
    db,
    sql`
    with numbered as materialized (
      select sku, ${partNumberKeySql(sql`brand`)} as maker, ${partNumberKeySql(sql`mpn`)} as number from (${others}) as o where mpn <> '' and brand <> ''
    ), twice as (
      select maker, number, array_agg(sku order by sku) as skus from numbered where number <> '' group by maker, number having count(distinct sku) > 1
    )
    select 'mpn' as field, 'the same maker and part number as another sku' as words, row, sku,
      mpn || ', as ' || (select string_agg(other, ', ') from unnest(skus[1:4]) as other where other <> p.sku) as found
    from (${parts}) as p join twice on maker = ${partNumberKeySql(sql`brand`)} and number = ${partNumberKeySql(sql`mpn`)}`,
  )

const findOtherMakerInName = (db: Database, parts: SQL, others: SQL) =>
  group(
    db,
    sql`
    with makers as materialized (
      select lower(brand) as maker, split_part(lower(brand), ' ', 1) as first_word from (${others}) as o where brand <> '' group by 1, 2 having count(*) >= 3
    )
    select 'brand' as field, 'the name begins with another maker' as words, row, sku, brand || ': ' || name as found
    from (${parts}) as p
    where brand <> '' and not starts_with(lower(name), lower(brand))
      and exists (
        select from makers where first_word = split_part(lower(name), ' ', 1) and starts_with(lower(name) || ' ', maker || ' ') and maker <> lower(brand)
      )`,
  )

/** Whether a number is far outside the middle half of its kind: by three times the spread of that half, and by a factor of three. */
const isFarOutsideSql = (value: SQL) => sql`
  (ln(${value}) > middle[2] + greatest(3 * (middle[2] - middle[1]), ln(3)) or ln(${value}) < middle[1] - greatest(3 * (middle[2] - middle[1]), ln(3)))`
const middleSql = (value: SQL) => sql`percentile_cont(array[0.25, 0.75]) within group (order by ln(${value}))`
const usualSql = sql`trim_scale(round(exp(middle[1])::numeric, 2)) || ' to ' || trim_scale(round(exp(middle[2])::numeric, 2))`

const findStrangePrices = (db: Database, parts: SQL, others: SQL) =>
  group(
    db,
    sql`
    with usual as materialized (
      select category, ${middleSql(sql`price_cents / 100.0`)} as middle from (${others}) as o
      where category is not null group by category having count(*) >= ${leastForComparison}
    )
    select 'price' as field, 'far from the prices of its category' as words, row, sku,
      trim_scale(price_cents / 100.0) || ', where half of ' || category || ' cost ' || ${usualSql} as found
    from (${parts}) as p join usual using (category) where ${isFarOutsideSql(sql`price_cents / 100.0`)}`,
  )

const findUselessPriceBreaks = (db: Database, parts: SQL) =>
  group(
    db,
    sql`
    select 'price_breaks' as field, 'no lower than the price of one piece' as words, row, sku,
      trim_scale((price_breaks -> 0 ->> 'price_cents')::numeric / 100) || ' from ' || (price_breaks -> 0 ->> 'min_quantity') || ' pieces, one for '
        || trim_scale(price_cents / 100.0) as found
    from (${parts}) as p where (price_breaks -> 0 ->> 'price_cents')::integer >= price_cents`,
  )

/** The number attributes that are defined, by every name of their category. */
const numberAttributesSql = () => attributesSql(({ kind }) => kind === 'number')

function attributesSql(isWanted: (attribute: AttributeDefinition) => boolean): SQL {
  const attributes = allCategories().flatMap(({ key, aliases, attributes }) =>
    attributes
      .filter(isWanted)
      .flatMap((attribute) => [key, ...aliases].map((category) => ({ category, key: attribute.key, isComparable: isMeasured(attribute) }))),
  )
  return sql`jsonb_to_recordset(${JSON.stringify(attributes)}::jsonb) as a (category text, key text, "isComparable" boolean)`
}

/** Counts differ widely, and temperatures may be below zero. */
const isMeasured = ({ unit }: AttributeDefinition) => unit !== undefined && unit !== '°C'

const findStrangeNumbers = (db: Database, parts: SQL, others: SQL) =>
  group(
    db,
    sql`
    with valued as materialized (
      select o.category, a.key, (specs ->> a.key)::numeric as number from (${others}) as o join ${numberAttributesSql()} using (category)
      where jsonb_typeof(specs -> a.key) = 'number' and "isComparable"
    ), usual as materialized (
      select category, key, ${middleSql(sql`number`)} as middle from valued where number between 1e-100 and 1e100 group by category, key having count(*) >= ${leastForComparison}
    ), given as materialized (
      select row, sku, p.category, a.key, specs -> a.key as value from (${parts}) as p join ${numberAttributesSql()} using (category) where specs ? a.key
    )
    select 'specs.' || key as field, 'no number' as words, row, sku, value::text as found from given where jsonb_typeof(value) not in ('number', 'null')
    union all
    select 'specs.' || key, 'far from the values of its category: in another unit?', row, sku,
      value::text || ', where half of ' || category || ' have ' || ${usualSql}
    from given join usual using (category, key)
    where jsonb_typeof(value) = 'number' and case when (value::text)::numeric > 0 then ${isFarOutsideSql(sql`(value::text)::numeric`)} else (value::text)::numeric = 0 end`,
  )

const findMissingAttributes = (db: Database, parts: SQL, others: SQL) =>
  group(
    db,
    sql`
    with filled as materialized (
      select o.category, a.key, count(*) as products, count(*) filter (where specs ? a.key) as known
      from (${others}) as o join ${attributesSql(({ filter }) => filter)} using (category) group by 1, 2
    )
    select 'specs.' || key as field, 'missing, though most products of ' || category || ' have it' as words, row, sku, name as found
    from (${parts}) as p join filled using (category)
    where products >= ${leastForComparison} and known >= ${expectedShare}::numeric * products and not specs ? key`,
  )

/** Names that say a size in mm, where the attribute that such a number asks for has another: "P14 Pro 140mm" with 120. */
const findOtherSizeInName = (db: Database, parts: SQL) =>
  group(
    db,
    sql`
    select 'specs.' || key as field, 'another than the name says' as words, row, sku, (specs ->> key) || ' mm, in ' || name as found
    from (${parts}) as p join ${attributesSql(({ unit, asked }) => unit === 'mm' && asked?.bare !== undefined)} using (category)
    where jsonb_typeof(specs -> key) = 'number' and name ~* '\\m\\d{1,4} ?mm\\M' and not exists (
      select from regexp_matches(name, '\\m(\\d{1,4}) ?mm\\M', 'gi') as said where said[1]::numeric = (specs ->> key)::numeric
    )`,
  )

/** How far a capacity may be from that in the name: 1 TB is 1,024 GB, too. */
const sameCapacity = 0.08
/** An attribute is told by the names of its kind if so many of them that say it say what it is. */
const toldShare = 0.8

/**
 * Attributes that names tell in other products of the kind, where the name says another.
 * @param saidInNames a query of these products, with the attributes that their names say: `category`, `key`, what is `stated` and whether it `agrees`
 */
const findOtherThanNamesTell = (db: Database, parts: SQL, others: SQL, saidInNames: (parts: SQL) => SQL) =>
  group(
    db,
    sql`
    with told as materialized (
      select category, key from (${saidInNames(others)}) as c group by category, key
      having count(*) >= ${leastForComparison} and avg(agrees::int) >= ${toldShare}::numeric
    )
    select 'specs.' || key as field, 'another than the name says' as words, row, sku, stated || ', in ' || name as found
    from (${saidInNames(parts)}) as c join told using (category, key) where not agrees`,
  )

/** "2 TB" with 20 GB */
const findOtherCapacityInName = (db: Database, parts: SQL, others: SQL) => findOtherThanNamesTell(db, parts, others, capacitiesSql)

/** "FURY Beast RGB" without lighting */
const findDeniedInName = (db: Database, parts: SQL, others: SQL) => findOtherThanNamesTell(db, parts, others, saidInNamesSql)

/** The capacities in GB of products whose names say one, and whether one of these is the same. */
const capacitiesSql = (parts: SQL): SQL => sql`
  select row, sku, name, category, key, (specs ->> key) || ' GB' as stated, exists (
      select from regexp_matches(name, ${capacityPattern}, 'g') as said
      where abs(said[1]::numeric * case when upper(said[2]) = 'TB' then 1000 else 1 end - (specs ->> key)::numeric) <= ${sameCapacity}::numeric * (specs ->> key)::numeric
    ) as agrees
  from (${parts}) as p join ${attributesSql(({ unit, asked }) => unit === 'GB' && asked?.perPieceOf === undefined)} using (category)
  where jsonb_typeof(specs -> key) = 'number' and name ~ ${capacityPattern}`

/** "1.92 TB", "16GB" of "2x16GB"; but neither "6 Gb/s" nor "64 GB/s" */
const capacityPattern = '(?<![\\d.])(\\d{1,6}(?:\\.\\d{1,3})?) ?(GB|TB|gb|tb)(?![A-WYZa-wyz/])'

/** The products whose names have a word that means Yes for an attribute that they state, and whether it is so. */
const saidInNamesSql = (parts: SQL): SQL => sql`
  select row, sku, name, category, key, 'No' as stated, (specs ->> key)::boolean as agrees
  from (${parts}) as p join ${wordsOfYesSql()} using (category)
  where jsonb_typeof(specs -> key) = 'boolean' and name ~* ('(?<!\\m(?:non|no|not|without)[- ]?)\\m(?:' || words || ')\\M')`

/** The words of questions that mean Yes, by every name of their category; letters and digits, so that they are a pattern as they are. */
function wordsOfYesSql(): SQL {
  const said = allCategories().flatMap(({ key, aliases, attributes }) =>
    attributes.flatMap(({ key: attribute, kind, asked }) => {
      const isYes = asked?.values?.filter(({ is }) => kind === 'yes/no' && is?.join() === 'Yes') ?? []
      const words = isYes.flatMap((value) => value.words.filter((word) => /^[\p{L}\d]+$/u.test(word))).join('|')
      return words === '' ? [] : [key, ...aliases].map((category) => ({ category, key: attribute, words }))
    }),
  )
  return sql`jsonb_to_recordset(${JSON.stringify(said)}::jsonb) as w (category text, key text, words text)`
}

/** The bounds of drawings, by every name of their category. */
function plausibleSizesSql(): SQL {
  const bounds = allCategories().flatMap(({ key, aliases }) =>
    Object.entries(plausibleSizes[key] ?? {}).flatMap(([size, [least, most]]) =>
      [key, ...aliases].map((category) => ({ category, key: size, least, most })),
    ),
  )
  return sql`jsonb_to_recordset(${JSON.stringify(bounds)}::jsonb) as b (category text, key text, least numeric, most numeric)`
}

const findImpossibleSizes = (db: Database, parts: SQL) =>
  group(
    db,
    sql`
    with sized as materialized (
      select row, sku, category, b.key, least, most, (specs ->> b.key)::numeric as number from (${parts}) as p join ${plausibleSizesSql()} using (category)
      where jsonb_typeof(specs -> b.key) = 'number'
    )
    select 'specs.' || key as field, 'no part of ' || category || ' can have this' as words, row, sku,
      number || ', where ' || least || ' to ' || most || ' are possible' as found
    from sized where number not between least and most`,
  )

/** The key of a category and its aliases, as an array. */
const namesOf = (key: string): SQL =>
  sql`array(select jsonb_array_elements_text(${JSON.stringify([key, ...(categoryOf(key)?.aliases ?? [])])}::jsonb))`

/** Cases of fewer litres than the largest board needs that they are said to take, each once. */
const findTooSmallCases = (db: Database, parts: SQL) =>
  group(
    db,
    sql`
    select distinct on (sku) 'specs.volume_l' as field, 'too small for the boards that fit into it' as words, row, sku, specs ->> 'volume_l' || ' l for ' || board as found
    from (${parts}) as p join jsonb_each(${JSON.stringify(leastLitresForBoard)}::jsonb) as l (board, litres) on (specs -> 'motherboard_form_factors') ? board
    where category = any(${namesOf('case')}) and jsonb_typeof(specs -> 'volume_l') = 'number' and (specs ->> 'volume_l')::numeric < litres::numeric
    order by sku, litres::numeric desc`,
  )
