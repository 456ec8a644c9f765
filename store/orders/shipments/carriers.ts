/** Who carries parcels. `other` is one that the store knows no address of. */
export const carriers = ['DHL', 'UPS', 'FedEx', 'DPD', 'GLS', 'USPS', 'Royal Mail', 'other'] as const
export type Carrier = (typeof carriers)[number]

/** Who says when a parcel was delivered. `assumed`: nobody, so many days after it was sent. */
export const deliverySources = ['admin', 'buyer', 'assumed'] as const
export type DeliverySource = (typeof deliverySources)[number]

/**
 * The page where a carrier shows how a parcel stands, up to the tracking number. Each is what shops and their plugins in public use as it stands here
 * (looked up in November 2026); none was opened.
 */
const trackingPages: Record<Exclude<Carrier, 'other'>, string> = {
  DHL: 'https://www.dhl.com/global-en/home/tracking.html?tracking-id=',
  UPS: 'https://www.ups.com/track?tracknum=',
  FedEx: 'https://www.fedex.com/fedextrack/?trknbr=',
  DPD: 'https://tracking.dpd.de/parcelstatus?query=',
  GLS: 'https://gls-group.com/track/',
  USPS: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=',
  'Royal Mail': 'https://www.royalmail.com/track-your-item#/tracking-results/',
}

type Tracked = { carrier: Carrier | null; trackingNumber: string | null }

/** Where the carrier shows how the parcel stands; null where that is not known. */
export const trackingUrl = ({ carrier, trackingNumber }: Tracked): string | null =>
  trackingNumber === null || carrier === null || carrier === 'other' ? null : trackingPages[carrier] + encodeURIComponent(trackingNumber)

/** "DHL 00340434161094015902", as far as it is known. */
export const carrierText = ({ carrier, trackingNumber }: Tracked): string =>
  [carrier === 'other' ? null : carrier, trackingNumber].filter((text) => text !== null).join(' ')

export const maxTrackingCharacters = 40

/** Without the spaces of groups, in capitals: as carriers print it, and as their pages take it. */
export const plainTrackingNumber = (typed: string): string => typed.replace(/\s+/g, '').toUpperCase()

/** Letters and digits, such as "00340434161094015902" or "RX123456789DE", and for some carriers dashes. */
export const isTrackingNumber = (plain: string): boolean => /^[A-Z0-9]+(?:-[A-Z0-9]+)*$/.test(plain) && /\d/.test(plain)

/** What the tracking numbers of a carrier usually look like. A carrier has further kinds, so that another one is no fault. */
const usualNumbers: Record<Exclude<Carrier, 'other'>, { pattern: RegExp; words: string }> = {
  DHL: {
    pattern: /^(\d{10,12}|\d{20}|JJ?D\d{16,20}|(GM|LX|RX)[A-Z0-9]{10,20}|[A-Z]{2}\d{9}DE)$/,
    words: '10 to 12 or 20 digits, or JJD and digits',
  },
  UPS: { pattern: /^(1Z[A-Z0-9]{16}|\d{9}|\d{12}|T\d{10}|\d{22,34})$/, words: '1Z and 16 letters and digits' },
  FedEx: { pattern: /^(\d{12}|\d{14,15}|\d{20}|\d{22}|\d{34})$/, words: '12 or 15 digits' },
  DPD: { pattern: /^\d{14}[A-Z0-9]?$/, words: '14 digits' },
  GLS: { pattern: /^(\d{11,12}|[A-Z0-9]{8})$/, words: '11 digits, or 8 letters and digits' },
  USPS: {
    pattern: /^(9\d{19,21}|9\d{25}|420\d{23,31}|[A-Z]{2}\d{9}US)$/,
    words: '20 or 22 digits that begin with 9, or 2 letters, 9 digits and US',
  },
  'Royal Mail': { pattern: /^[A-Z]{2}\d{9}GB$/, words: '2 letters, 9 digits and GB' },
}

type TypedNumber = { carrier?: Carrier | '' | null | undefined; trackingNumber?: string | null | undefined }

/** Why a number cannot be one of this carrier; undefined where it may be. @param trackingNumber as `plainTrackingNumber` makes it */
export const trackingNumberFault = ({ carrier, trackingNumber }: TypedNumber): string | undefined =>
  carrier === 'UPS' && trackingNumber?.startsWith('1Z') && trackingNumber.length !== 18
    ? `A number of UPS that begins with 1Z has 18 characters, this one ${trackingNumber.length}`
    : undefined

/** What is unusual about a number for this carrier, for whoever has typed it; undefined where nothing is. */
export function trackingNumberWarning({ carrier, trackingNumber }: TypedNumber): string | undefined {
  if (!carrier || carrier === 'other' || !trackingNumber) return undefined
  const { pattern, words } = usualNumbers[carrier]
  return pattern.test(trackingNumber) ? undefined : `Numbers of ${carrier} are usually ${words}: look at it again`
}

/** A carrier as people and programs write it: capitals, spaces and dashes do not count. */
export function findCarrier(text: string): Carrier | undefined {
  const plain = (name: string) => name.toLowerCase().replace(/[\s_-]+/g, '')
  return carriers.find((carrier) => plain(carrier) === plain(text))
}
