import { carriers } from '#store/orders/shipments/carriers.ts'

/** @param none what it says where none is chosen */
export const carrierOptions = (none: string) => [
  { value: '', label: none },
  ...carriers.map((carrier) => ({ value: carrier, label: carrier === 'other' ? 'Another one' : carrier })),
]
