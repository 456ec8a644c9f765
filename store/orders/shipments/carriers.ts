/** Who carries parcels. `other` is one that the store knows no address of. */
export const carriers = ['DHL', 'UPS', 'FedEx', 'DPD', 'GLS', 'USPS', 'Royal Mail', 'other'] as const
export type Carrier = (typeof carriers)[number]

/** Who says when a parcel was delivered. `assumed`: nobody, so many days after it was sent. */
export const deliverySources = ['admin', 'buyer', 'assumed'] as const
export type DeliverySource = (typeof deliverySources)[number]

/** The page where a carrier shows how a parcel stands, up to the tracking number. */
const trackingPages: Record<Exclude<Carrier, 'other'>, string> = {
  DHL: 'https://www.dhl.com/global-en/home/tracking.html?tracking-id=',
  UPS: 'https://www.ups.com/track?tracknum=',
  FedEx: 'https://www.fedex.com/fedextrack/?trknbr=',
  DPD: 'https://tracking.dpd.de/parcelstatus?query=',
  GLS: 'https://gls-group.com/track?match=',
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
