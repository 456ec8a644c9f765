import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { restorePasswordHashingCost } from '#test/fast-password-hashing.ts'
import { anEmptyStore } from '#test/store.ts'
import { findPasswordHash, passwordHasher, runPasswordHashing, setVerifiedPassword } from './passwords.ts'
import { signInMethods, users } from './table.ts'

test('a rush of passwords leaves room on the thread pool: other work does not wait for the last of them', async () => {
  using _ = restorePasswordHashingCost()
  let done = 0
  const rush = Array.from({ length: 16 }, async () => {
    const hash = await passwordHasher.hash('correct horse battery')
    done++
    return hash
  })
  await stat('.') // on the thread pool, as signing a cookie and looking up the database are
  assert.ok(done < 8, `${done} passwords were hashed before it`)
  const [hash = ''] = await Promise.all(rush)
  assert.equal(await passwordHasher.verify({ hash, password: 'correct horse battery' }), true)
  assert.equal(await passwordHasher.verify({ hash, password: 'another' }), false)
})

test('a password that cannot be hashed keeps no other from its turn', async () => {
  const broken = Array.from({ length: 8 }, () => passwordHasher.verify({ hash: 'no hash', password: 'x' }))
  assert.ok((await Promise.allSettled(broken)).every(({ status }) => status === 'rejected'))
  assert.match(await passwordHasher.hash('correct horse battery'), /^[0-9a-f]+:[0-9a-f]+$/)
})

test('the password of an account that signs in with Google, too, is that of its password account', async () => {
  await using store = await anEmptyStore()
  const [id, email] = ['both', 'both@shop.example']
  await store.db.insert(users).values({ id, name: 'Both', email })
  const own = { userId: id, accountId: id }
  await store.db.insert(signInMethods).values({ ...own, id: 'google', providerId: 'google' })
  await store.db.insert(signInMethods).values({ ...own, id: 'password', providerId: 'credential', password: 'a hash' })
  assert.equal(await findPasswordHash(store.db, email), 'a hash')
})

test('a password that is being changed is compared as it is once the change is through', async () => {
  await using store = await anEmptyStore()
  const [id, email] = ['ada', 'ada@shop.example']
  await store.db.insert(users).values({ id, name: 'Ada', email })
  await setVerifiedPassword(store.db, id, 'an old hash')

  const { asked } = await store.db.transaction(async (tx) => {
    await setVerifiedPassword(tx, id, 'a new hash')
    const asked = findPasswordHash(store.db, email)
    let isAnswered = false
    asked.then(() => (isAnswered = true))
    while (!isAnswered) {
      const { rows } = await store.db.execute(
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%for share%'`,
      )
      if (rows.length > 0) break
    }
    return { asked }
  })

  assert.equal(await asked, 'a new hash')
})

test('whoever has many passwords hashed keeps nobody waiting: networks take turns, and known devices have a place of their own', async () => {
  const done: string[] = []
  const hold = Promise.withResolvers<void>()
  const ask = (who: string, network: string, isKnownDevice = false) =>
    runPasswordHashing({ network, isKnownDevice }, async () => {
      if (who === 'flood') await hold.promise
      done.push(who)
    })
  const flood = Array.from({ length: 90 }, () => ask('flood', '2001:db8:1::/48'))
  const customer = ask('customer', '192.0.2.7')
  await ask('known device', '192.0.2.8', true)
  assert.deepEqual(done, ['known device'], 'while every other place is taken')
  hold.resolve()
  await Promise.all([...flood, customer])
  assert.ok(done.indexOf('customer') < 6, `after ${done.indexOf('customer')} others`)
})
