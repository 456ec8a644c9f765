import { requiredTextSchema } from './required-text.ts'

/**
 * The URL of an image that a page may load: a path of the store or an https URL. No other scheme, such as `javascript:`.
 * @param requiredMessage the validation message for a missing URL
 */
export const imageUrlSchema = (requiredMessage: string) =>
  requiredTextSchema(requiredMessage, 2000).refine(isImageUrl, 'The picture is an address that begins with https:// or /')

function isImageUrl(address: string): boolean {
  return /^\/(?![/\\])/.test(address) || (URL.canParse(address) && new URL(address).protocol === 'https:')
}
