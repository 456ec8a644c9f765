import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/*
 * Imported by tests, and before the built stores that they start: hashing and checking a password costs next to nothing in that process.
 * better-auth takes scrypt at N = 16384, 70 ms of a core each time. The store itself has no setting for the cost, so that nobody can lower
 * it where real passwords are kept.
 */
const { scrypt } = crypto
const fastScrypt = (
  password: BinaryLike,
  salt: BinaryLike,
  bytes: number,
  options: ScryptOptions,
  done: (error: Error | null, key: Buffer) => void,
) => scrypt(password, salt, bytes, { ...options, N: 2 }, done)

function setScrypt(way: typeof scrypt | typeof fastScrypt) {
  Object.assign(crypto, { scrypt: way })
  syncBuiltinESMExports()
}

/** For a test about the cost itself: passwords cost in this process what they cost in an owner's store, until it is disposed. */
export function restorePasswordHashingCost(): Disposable {
  setScrypt(scrypt)
  return { [Symbol.dispose]: () => setScrypt(fastScrypt) }
}

setScrypt(fastScrypt)
