import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { isUniqueViolation } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import { countryName } from '#shared/countries.ts'
import { formatCents } from '#shared/money.ts'
import { setStoreTimeZone } from '#shared/time-zone.ts'
import { allCategories, categoryOf } from '#store/catalogue/categories.ts'
import { recordingPricingChange } from '#store/catalogue/pricing/changes.ts'
import type { User } from '#store/identity/contract.ts'
import {
  type DeliveryMethod,
  type DeliveryZone,
  deliveryLimits,
  type Holiday,
  type NewDeliveryMethod,
  type NewDeliveryZone,
} from './contract.ts'
import { formatWeight } from './delivery-options.ts'
import type { ChangedDeliverySettings, DeliverySettings } from './settings-contract.ts'
import { deliveryMethods, deliverySettings, deliveryZones, shopHolidays } from './table.ts'

const { singleRow: _, ...settingsColumns } = getTableColumns(deliverySettings)
export const initialSettings: DeliverySettings = {
  timeZone: 'UTC',
  unknownWeightGrams: null,
  assumedDeliveryDays: 7,
  assumedDeliveryDaysAbroad: 21,
  withdrawalEverywhere: false,
}

export type DeliverySetup = Awaited<ReturnType<typeof findDeliverySetup>>

export async function findDeliverySettings(db: Database): Promise<DeliverySettings> {
  const [settings = initialSettings] = await db.select(settingsColumns).from(deliverySettings)
  return settings
}

/** All that is set, zones and methods by name. */
export async function findDeliverySetup(db: Database) {
  const settings = await findDeliverySettings(db) // one by one: a transaction has one connection
  const zones = await db.select().from(deliveryZones).orderBy(asc(deliveryZones.name))
  const methods = await db.select().from(deliveryMethods).orderBy(asc(deliveryMethods.name))
  const holidays = await db.select().from(shopHolidays).orderBy(asc(shopHolidays.day))
  return { settings, zones, methods, holidays }
}

export async function showDelivery(db: Database) {
  const { zones, methods, ...rest } = await findDeliverySetup(db)
  return {
    ...rest,
    zones: zones.map((zone): DeliveryZone => ({ ...zone, methods: methods.filter(({ zoneId }) => zoneId === zone._id) })),
    categories: allCategories().map(({ key, label }) => ({ key, label })),
  }
}

export async function changeSettings(
  db: Database,
  admin: User,
  settings: z.output<typeof ChangedDeliverySettings>,
): Promise<DeliverySettings> {
  const saved = await recordingPricingChange(db, admin, async (tx) => {
    await tx.insert(deliverySettings).values({}).onConflictDoNothing()
    const [before] = await tx.select(settingsColumns).from(deliverySettings).for('update')
    const [result] = await tx.update(deliverySettings).set(settings).returning(settingsColumns)
    if (!before || !result) throw new Error('The delivery settings were not returned')
    const isSame = describeSettings(before) === describeSettings(result)
    return { result, what: isSame ? undefined : `Delivery: ${describeSettings(result)}, was: ${describeSettings(before)}` }
  })
  setStoreTimeZone(saved.timeZone) // before any page is told to be renewed, see `followChanges` for other processes
  return saved
}

function describeSettings(settings: DeliverySettings): string {
  const { timeZone, unknownWeightGrams, assumedDeliveryDays, assumedDeliveryDaysAbroad, withdrawalEverywhere } = settings
  const isInitial =
    assumedDeliveryDays === initialSettings.assumedDeliveryDays && assumedDeliveryDaysAbroad === initialSettings.assumedDeliveryDaysAbroad
  return [
    `times of ${timeZone}`,
    `products of unknown weight ${unknownWeightGrams === null ? 'do not go by weight' : `weigh ${formatWeight(unknownWeightGrams)}`}`,
    ...(isInitial ? [] : [`delivered after ${assumedDeliveryDays} days, abroad after ${assumedDeliveryDaysAbroad}`]),
    ...(withdrawalEverywhere ? ['consumers of all countries may withdraw'] : []),
  ].join(', ')
}

// Zones

type ZoneFields = z.output<typeof NewDeliveryZone>

/** @throws {HttpError} 409 the name is taken, or there are as many zones as there can be */
export function addZone(db: Database, admin: User, fields: ZoneFields): Promise<DeliveryZone> {
  return refusingTakenName(
    'zone',
    recordingPricingChange(db, admin, async (tx) => {
      if ((await tx.$count(deliveryZones)) >= deliveryLimits.zones)
        throw new HttpError(409, `A store has at most ${deliveryLimits.zones} zones`)
      const [zone] = await tx.insert(deliveryZones).values(fields).returning()
      if (!zone) throw new Error('The zone was not returned')
      return { result: { ...zone, methods: [] }, what: `Delivery zone ${describeZone(zone)} added`, isToldAtOnce: true }
    }),
  )
}

/** @throws {HttpError} 404 no such zone; 409 the name is taken */
export function updateZone(db: Database, admin: User, id: string, fields: ZoneFields): Promise<DeliveryZone> {
  return refusingTakenName(
    'zone',
    recordingPricingChange(db, admin, async (tx) => {
      const before = await lockZone(tx, id)
      const [zone] = await tx.update(deliveryZones).set(fields).where(eq(deliveryZones._id, id)).returning()
      if (!zone) throw new Error('The zone was not returned')
      const methods = await methodsOf(tx, id)
      const isSame = describeZone(before) === describeZone(zone)
      return {
        result: { ...zone, methods },
        what: isSame ? undefined : `Delivery zone ${describeZone(zone)}, was ${describeZone(before)}`,
        isToldAtOnce: true,
      }
    }),
  )
}

/** Removes a zone with its methods: what it contains belongs to the next wider zone then. @throws {HttpError} 404 no such zone */
export function removeZone(db: Database, admin: User, id: string): Promise<void> {
  return recordingPricingChange(db, admin, async (tx) => {
    const zone = await lockZone(tx, id)
    const removed = await tx.delete(deliveryMethods).where(eq(deliveryMethods.zoneId, id)).returning({ name: deliveryMethods.name })
    await tx.delete(deliveryZones).where(eq(deliveryZones._id, id))
    const methods = removed.length === 0 ? '' : ` with ${removed.map(({ name }) => name).join(', ')}`
    return { result: undefined, what: `Delivery zone ${zone.name} removed${methods}`, isToldAtOnce: true }
  })
}

async function lockZone(tx: Database, id: string) {
  const [zone] = await tx.select().from(deliveryZones).where(eq(deliveryZones._id, id)).for('update')
  if (!zone) throw new HttpError(404, 'There is no such zone')
  return zone
}

const methodsOf = (tx: Database, zoneId: string): Promise<DeliveryMethod[]> =>
  tx.select().from(deliveryMethods).where(eq(deliveryMethods.zoneId, zoneId)).orderBy(asc(deliveryMethods.name))

function describeZone({ name, countries, states, postalPrefixes }: Omit<DeliveryZone, '_id' | 'methods'>): string {
  const parts = [
    countries.length === 0 ? 'everywhere' : countries.map(countryName).join(', '),
    states.length > 0 && `states ${states.join(', ')}`,
    postalPrefixes.length > 0 && `postal codes ${postalPrefixes.join(', ')}`,
  ]
  const places = parts.filter(Boolean).join('; ')
  return `${name} (${places.length > 300 ? `${places.slice(0, 300)}...` : places})`
}

// Methods

type MethodFields = z.output<typeof NewDeliveryMethod>

/** @throws {HttpError} 400 no such category; 404 no such zone; 409 the name is taken, or the zone has as many as it can have */
export function addMethod(db: Database, admin: User, zoneId: string, fields: MethodFields): Promise<DeliveryMethod> {
  const values = withCategoryKeys(fields)
  return refusingTakenName(
    'method',
    recordingPricingChange(db, admin, async (tx) => {
      const zone = await lockZone(tx, zoneId)
      if ((await tx.$count(deliveryMethods, eq(deliveryMethods.zoneId, zoneId))) >= deliveryLimits.methodsOfZone)
        throw new HttpError(409, `A zone has at most ${deliveryLimits.methodsOfZone} methods`)
      const [result] = await tx
        .insert(deliveryMethods)
        .values({ ...values, zoneId })
        .returning()
      if (!result) throw new Error('The method was not returned')
      return { result, what: `Delivery by ${result.name} (${zone.name}): ${describeMethod(result)}`, isToldAtOnce: true }
    }),
  )
}

/** @throws {HttpError} 400 no such category; 404 no such method; 409 the name is taken */
export function updateMethod(db: Database, admin: User, id: string, fields: MethodFields): Promise<DeliveryMethod> {
  const values = withCategoryKeys(fields)
  return refusingTakenName(
    'method',
    recordingPricingChange(db, admin, async (tx) => {
      const [before] = await tx.select().from(deliveryMethods).where(eq(deliveryMethods._id, id)).for('update')
      if (!before) throw new HttpError(404, 'There is no such method')
      const [result] = await tx.update(deliveryMethods).set(values).where(eq(deliveryMethods._id, id)).returning()
      if (!result) throw new Error('The method was not returned')
      const isSame = before.name === result.name && describeMethod(before) === describeMethod(result)
      const was = `was ${before.name === result.name ? '' : `${before.name}: `}${describeMethod(before)}`
      return { result, what: isSame ? undefined : `Delivery by ${result.name}: ${describeMethod(result)}, ${was}`, isToldAtOnce: true }
    }),
  )
}

/** @throws {HttpError} 404 no such method */
export function removeMethod(db: Database, admin: User, id: string): Promise<void> {
  return recordingPricingChange(db, admin, async (tx) => {
    const [removed] = await tx.delete(deliveryMethods).where(eq(deliveryMethods._id, id)).returning()
    if (!removed) throw new HttpError(404, 'There is no such method')
    return { result: undefined, what: `Delivery by ${removed.name} removed, was ${describeMethod(removed)}`, isToldAtOnce: true }
  })
}

/** Keys instead of aliases. @throws {HttpError} 400 a category that is not defined */
function withCategoryKeys(fields: MethodFields): MethodFields {
  const keys = fields.notForCategories.map((named) => {
    const key = categoryOf(named)?.key
    if (!key) throw new HttpError(400, `There is no category ${named}`, { notForCategories: `There is no category ${named}` })
    return key
  })
  return { ...fields, notForCategories: [...new Set(keys)] }
}

function describeMethod(method: Omit<DeliveryMethod, '_id' | 'zoneId' | 'name'>): string {
  const measure = method.pricedBy === 'weight' ? formatWeight : formatCents
  const prices = method.steps.map(
    ({ upTo, priceCents }) => `${upTo === null ? 'any' : `up to ${measure(upTo)}`} ${formatCents(priceCents)}`,
  )
  return [
    method.carrier,
    prices.join(', '),
    method.freeFromCents !== null && `free from ${formatCents(method.freeFromCents)}`,
    method.daysFrom === method.daysTo ? countDays(method.daysTo) : `${method.daysFrom} to ${countDays(method.daysTo)}`,
    method.handlingDays > 0 && `${countDays(method.handlingDays)} of handling`,
    method.cutOff !== null && `cut-off ${method.cutOff}`,
    method.notForCategories.length > 0 && `not for ${method.notForCategories.join(', ')}`,
  ]
    .filter(Boolean)
    .join('; ')
}

const countDays = (days: number): string => (days === 1 ? '1 day' : `${days} days`)

// Holidays

/** Sets a holiday, or the name of one. @throws {HttpError} 409 there are as many as there can be */
export function setHoliday(db: Database, admin: User, holiday: Holiday): Promise<Holiday> {
  return recordingPricingChange(db, admin, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('shop_holidays'))`) // their number is limited
    const [before] = await tx.select().from(shopHolidays).where(eq(shopHolidays.day, holiday.day))
    if (!before && (await tx.$count(shopHolidays)) >= deliveryLimits.holidays)
      throw new HttpError(409, `There can be ${deliveryLimits.holidays} holidays: remove some first`)
    await tx
      .insert(shopHolidays)
      .values(holiday)
      .onConflictDoUpdate({ target: shopHolidays.day, set: { name: holiday.name } })
    return { result: holiday, what: before?.name === holiday.name ? undefined : `Holiday ${holiday.day}: ${holiday.name}` }
  })
}

/** @throws {HttpError} 404 no such holiday */
export function removeHoliday(db: Database, admin: User, day: string): Promise<void> {
  return recordingPricingChange(db, admin, async (tx) => {
    const [removed] = await tx.delete(shopHolidays).where(eq(shopHolidays.day, day)).returning()
    if (!removed) throw new HttpError(404, 'There is no such holiday')
    return { result: undefined, what: `Holiday ${day} (${removed.name}) removed` }
  })
}

async function refusingTakenName<Result>(what: 'zone' | 'method', change: Promise<Result>): Promise<Result> {
  try {
    return await change
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const message = `There is a ${what} with this name already`
    throw new HttpError(409, message, { name: message })
  }
}
