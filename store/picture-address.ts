import { requiredText } from './required-text.ts'

/**
 * The address of a picture that a page may load: one of the store's own, or https. Never a script, never another scheme.
 * @param needed what the reader is told when there is none
 */
export const pictureAddress = (needed: string) =>
  requiredText(needed, 2000).refine(isPictureAddress, 'The picture is an address that begins with https:// or /')

function isPictureAddress(address: string): boolean {
  return /^\/(?![/\\])/.test(address) || (URL.canParse(address) && new URL(address).protocol === 'https:')
}
