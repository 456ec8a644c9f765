import { HttpError } from '#platform/http-error.ts'
import { shopDay } from '#shared/shop-day.ts'

/** @throws {HttpError} 400 money cannot have come or gone on this day yet: said at the field */
export function assertNotToCome(field: string, day: string): void {
  if (day > shopDay(new Date())) throw new HttpError(400, 'This day is still to come', { [field]: 'This day is still to come' })
}
