import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { countryName } from '#shared/countries.ts'
import { formatNumber } from '#shared/format-number.ts'
import { recordingPricingChange } from '#store/catalogue/pricing/changes.ts'
import type { User } from '#store/identity/contract.ts'
import type { TaxTerms } from './compute-tax.ts'
import { maxTaxRates, type NewTaxRate, type TaxRate, type TaxRateSet, type TaxSettings } from './contract.ts'
import { rateSets } from './rate-sets.ts'
import { formatRate } from './rate-text.ts'
import { taxRates, taxSettings } from './table.ts'
import { type TaxDestination, type TaxSetup, taxTermsFor } from './tax-terms.ts'

const settingsColumns = { country: taxSettings.country, state: taxSettings.state, pricesIncludeTax: taxSettings.pricesIncludeTax }
const nothingSaid: TaxSettings = { country: null, state: null, pricesIncludeTax: false }

/** Where the shop is, by two letters; null: not said yet. */
export const findShopCountry = async (db: Database): Promise<string | null> => (await findSettings(db)).country

const findSettings = async (db: Database): Promise<TaxSettings> => (await db.select(settingsColumns).from(taxSettings))[0] ?? nothingSaid

/** What is set, and what can be loaded. */
export async function showTax(db: Database): Promise<{ settings: TaxSettings; rates: TaxRate[]; sets: TaxRateSet[] }> {
  const [settings, rates] = await Promise.all([
    findSettings(db),
    db.select().from(taxRates).orderBy(asc(taxRates.country), sql`${taxRates.state} nulls first`, sql`${taxRates.taxClass} desc`),
  ])
  return { settings, rates, sets: rateSets.map(({ rates: _rates, ...about }) => about) }
}

/** Which rates apply to an order for this destination, and why. Reads what is set now: an order keeps what came out of it. */
export const findTaxTerms = async (db: Database, destination: TaxDestination): Promise<TaxTerms> =>
  taxTermsFor(await findTaxSetup(db), destination)

/** All that is set, for `taxTermsFor`. */
export async function findTaxSetup(db: Database): Promise<TaxSetup> {
  const settings = await findSettings(db)
  const rates = await db.select().from(taxRates) // one after the other: a transaction has one connection
  return { settings, rates, hasRates: rates.length > 0 }
}

export function changeSettings(db: Database, admin: User, settings: TaxSettings): Promise<TaxSettings> {
  return recordingPricingChange(db, admin, async (tx) => {
    await tx.insert(taxSettings).values({}).onConflictDoNothing()
    const [before] = await tx.select(settingsColumns).from(taxSettings).for('update')
    const [result] = await tx.update(taxSettings).set(settings).returning(settingsColumns)
    if (!before || !result) throw new Error('The tax settings were not returned')
    const isSame = describeSettings(before) === describeSettings(result)
    return { result, what: isSame ? undefined : `Tax: ${describeSettings(result)}, was: ${describeSettings(before)}`, isToldAtOnce: true }
  })
}

const describeSettings = ({ country, state, pricesIncludeTax }: TaxSettings): string =>
  `${country === null ? 'nothing is taxed' : `the shop is in ${placeName({ country, state })}`}, prices ${pricesIncludeTax ? 'include' : 'exclude'} tax`

const isOfPlace = ({ country, state, taxClass }: Omit<TaxRate, '_id' | 'ratePpm'>) =>
  and(eq(taxRates.country, country), state === null ? isNull(taxRates.state) : eq(taxRates.state, state), eq(taxRates.taxClass, taxClass))

/** @throws {HttpError} 409 there are as many rates as there may be */
export function setRate(db: Database, admin: User, { state = null, ...fields }: z.output<typeof NewTaxRate>): Promise<TaxRate> {
  const rate = { ...fields, state }
  return recordingPricingChange(db, admin, async (tx) => {
    await lockRates(tx)
    const [before] = await tx.select().from(taxRates).where(isOfPlace(rate))
    if (!before) await assertRoomForRates(tx, 1)
    const [result] = before
      ? await tx.update(taxRates).set({ ratePpm: rate.ratePpm }).where(eq(taxRates._id, before._id)).returning()
      : await tx.insert(taxRates).values(rate).returning()
    if (!result) throw new Error('The rate was not returned')
    const was = before ? `, was ${formatRate(before.ratePpm)}` : ''
    return {
      result,
      what: before?.ratePpm === rate.ratePpm ? undefined : `${describeRate(result)}: ${formatRate(result.ratePpm)}${was}`,
      isToldAtOnce: true,
    }
  })
}

/** @throws {HttpError} 404 no such rate */
export function removeRate(db: Database, admin: User, id: string): Promise<void> {
  return recordingPricingChange(db, admin, async (tx) => {
    const [removed] = await tx.delete(taxRates).where(eq(taxRates._id, id)).returning()
    if (!removed) throw new HttpError(404, 'There is no such rate')
    return { result: undefined, what: `${describeRate(removed)} removed, was ${formatRate(removed.ratePpm)}`, isToldAtOnce: true }
  })
}

/**
 * Adds the rates of a set, or of one of its countries. Those that are set already stay.
 * @throws {HttpError} 404 no such set, or no such country in it; 409 there would be more rates than there may be
 */
export function loadRates(
  db: Database,
  admin: User,
  { set: key, country }: { set: string; country?: string | null | undefined },
): Promise<{ added: number; kept: number }> {
  const set = rateSets.find((each) => each.key === key)
  if (!set) throw new HttpError(404, 'There is no such set of rates', { set: 'There is no such set of rates' })
  const wanted = set.rates.filter((rate) => !country || rate.country === country)
  if (wanted.length === 0)
    throw new HttpError(404, 'The set has no rate of this country', { country: 'The set has no rate of this country' })
  return recordingPricingChange(db, admin, async (tx) => {
    await lockRates(tx)
    const kept = await tx.$count(taxRates, or(...wanted.map(isOfPlace)))
    await assertRoomForRates(tx, wanted.length - kept)
    const added = await tx.insert(taxRates).values(wanted).onConflictDoNothing().returning({ _id: taxRates._id })
    const of = country ? ` for ${countryName(country)}` : ''
    return {
      result: { added: added.length, kept },
      what: added.length === 0 ? undefined : `${formatNumber(added.length)} tax rates loaded${of}: ${set.name}, as of ${set.date}`,
      isToldAtOnce: true,
    }
  })
}

/** One change at a time: the number of rates is limited. */
const lockRates = (tx: Database) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('tax_rates'))`)

async function assertRoomForRates(tx: Database, added: number): Promise<void> {
  if ((await tx.$count(taxRates)) + added > maxTaxRates)
    throw new HttpError(409, `There can be ${formatNumber(maxTaxRates)} rates: remove some first`)
}

export const placeName = ({ country, state }: { country: string; state: string | null }): string =>
  state === null ? countryName(country) : `${countryName(country)} (${state})`

const describeRate = (rate: Omit<TaxRate, '_id' | 'ratePpm'>): string => `Tax rate of ${placeName(rate)}, ${rate.taxClass}`
