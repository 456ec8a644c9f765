import * as z from 'zod'

/**
 * The address of a picture that a page may load: one of the store's own, or https. Never a script, never another scheme.
 * @param needed what the reader is told when there is none
 */
export const pictureAddress = (needed: string) =>
  z
    .string(needed)
    .trim()
    .min(1, needed)
    .max(2000, 'At most 2000 characters')
    .refine(isPictureAddress, 'The picture is an address that begins with https:// or /')

function isPictureAddress(address: string): boolean {
  return /^\/(?![/\\])/.test(address) || (URL.canParse(address) && new URL(address).protocol === 'https:')
}
