import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { test } from 'node:test'
import { costlyPasswords } from '#test/quick-passwords.ts'
import { passwordHashes } from './passwords.ts'

test('a rush of passwords leaves room on the thread pool: other work does not wait for the last of them', async () => {
  using _ = costlyPasswords()
  let done = 0
  const rush = Array.from({ length: 16 }, async () => {
    const hash = await passwordHashes.hash('correct horse battery')
    done++
    return hash
  })
  await stat('.') // on the thread pool, as signing a cookie and looking up the database are
  assert.ok(done < 8, `${done} passwords were hashed before it`)
  const [hash = ''] = await Promise.all(rush)
  assert.equal(await passwordHashes.verify({ hash, password: 'correct horse battery' }), true)
  assert.equal(await passwordHashes.verify({ hash, password: 'another' }), false)
})

test('a password that cannot be hashed keeps no other from its turn', async () => {
  const broken = Array.from({ length: 8 }, () => passwordHashes.verify({ hash: 'no hash', password: 'x' }))
  assert.ok((await Promise.allSettled(broken)).every(({ status }) => status === 'rejected'))
  assert.match(await passwordHashes.hash('correct horse battery'), /^[0-9a-f]+:[0-9a-f]+$/)
})
