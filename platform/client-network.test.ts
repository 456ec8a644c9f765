import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAddress, clientNetwork, widestClientNetwork } from './client-network.ts'
import { closeHttpApp, createHttpApp } from './http.ts'

test('an IPv6 customer counts as one with all addresses of the /64, and as another than the neighbour', () => {
  const one = '2001:db8:1:2::/64'
  for (const address of [
    '2001:db8:1:2::1',
    '2001:DB8:1:2:ffff:ffff:ffff:ffff',
    '2001:0db8:0001:0002:0:0:0:9',
    '2001:db8:1:2:3::',
    '2001:db8:1:2::%eth0',
    '[2001:db8:1:2::1]',
    '[2001:db8:1:2::1]:4711',
    '2001:db8:1:2:0:0:192.0.2.7',
  ])
    assert.equal(clientNetwork(address), one, address)
  assert.equal(widestClientNetwork('2001:db8:1:2::1'), '2001:db8:1::/48')
  for (const [address, network] of [
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::2:0:0:0:1', '2001:db8:0:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%lo', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
  ] as const)
    assert.equal(clientNetwork(address), network, address)
})

test('an IPv4 address stands for itself, also when it comes as IPv6', () => {
  for (const address of [
    ...['192.0.2.7', '192.0.2.7:4711', '::ffff:192.0.2.7', '::FFFF:192.0.2.7', '[::ffff:192.0.2.7]:4711', '::ffff:c000:207'],
    ...['0:0:0:0:0:ffff:192.0.2.7', '0000:0000:0000:0000:0000:ffff:c000:0207', '64:ff9b::192.0.2.7', '64:ff9b::c000:207'],
  ])
    assert.deepEqual([clientNetwork(address), widestClientNetwork(address)], ['192.0.2.7', '192.0.2.7'], address)
  assert.notEqual(clientNetwork('::ffff:192.0.2.8'), clientNetwork('::ffff:192.0.2.7'))
})

test('what is no address stands for itself', () => {
  for (const address of ['', 'unknown', '_hidden', '[', 'fe80', '1.2.3', ':::']) assert.equal(clientNetwork(address), address)
})

test('a request is from the same address before it has reached Fastify and after', async () => {
  for (const trustProxy of [false, true]) {
    const app = createHttpApp({ trustProxy })
    app.get('/me', ({ ip, raw }) => ({ ip, early: clientAddress(raw, trustProxy) }))
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    for (const forwarded of [undefined, '203.0.113.1, 198.51.100.7', ' 2001:db8::1 ', '']) {
      const answer = await fetch(`${address}/me`, { headers: { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) } })
      const { ip, early } = (await answer.json()) as { ip: string; early: string }
      assert.equal(early, ip, `${trustProxy} ${forwarded}`)
    }
    await closeHttpApp(app)
  }
})
