import { addDays, workingDayFrom } from '#store/delivery/delivery-days.ts'
import { isInEuVat as isEuMember } from '#store/tax/eu-countries.ts'

/** Directive 2011/83/EU, Article 9. */
export const withdrawalDays = 14
/** Within which the money goes back: Article 13. */
export const refundDays = 14

type Delivered = {
  /** of each parcel: the day in the shop's time zone on which it was delivered; null: not known */
  deliveredOn: (string | null)[]
  /** whether something of the order is still to be sent */
  isToSend: boolean
  /** days on which the shop does not work, such as 2026-12-25 */
  holidays: readonly string[]
}

/**
 * The last day on which a consumer can withdraw: the 14th after that on which the last piece came, which is not counted itself. Where it is a
 * Saturday, a Sunday or a holiday, the next working day (Regulation (EEC, Euratom) 1182/71, Article 3).
 * @returns null while the period has not begun, and cannot end
 */
export function lastDayToWithdraw({ deliveredOn, isToSend, holidays }: Delivered): string | null {
  if (isToSend || deliveredOn.length === 0) return null
  const days = deliveredOn.filter((day) => day !== null)
  if (days.length < deliveredOn.length) return null
  const last = days.reduce((latest, day) => (day > latest ? day : latest))
  return workingDayFrom(addDays(last, withdrawalDays), new Set(holidays))
}

/** The countries of the European Economic Area that are not in the EU. */
const otherCountriesOfEea: readonly string[] = ['IS', 'LI', 'NO']

/** Whether consumers who are delivered to in a country have the right by law. */
export const isWithdrawalCountry = (country: string): boolean => isEuMember(country) || otherCountriesOfEea.includes(country)
