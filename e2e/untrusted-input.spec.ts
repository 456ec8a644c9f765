import { fullRunJourney, isFullRun } from '../proof/full-run.ts'
import { waitUntilSettled } from './open-screen-state.ts'
import { adminCredentials, expect, registerByApi, restoreSession, signIn, signInAsAdmin, test } from './store.ts'

// The outbox opens to who sits at the machine, with nobody between.
test.use({ extraHTTPHeaders: {} })

/** Says that it ran, in as many ways as fit into a name. */
const script = `</script><script>ran=1</script>"><img src=x onerror="ran=1"><svg onload=ran=1>' onfocus='ran=1' autofocus {{ran=1}} \`\${ran=1}\``
const inAddress = encodeURIComponent(script)

test('F2 a script in every stored field and in the address never runs, on any screen, and our own pages break no rule of theirs', async ({
  page,
  buyer,
  store,
}, info) => {
  test.setTimeout(300_000) // for so many screens; it only ends what hangs
  const broken: string[] = []
  await page.exposeFunction('ruleBroken', (rule: string) => void broken.push(rule))
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      Reflect.get(window, 'ruleBroken')(`${violatedDirective} ${blockedURI}`),
    ),
  )
  const call = async (method: string, path: string, token: string, body: object) => {
    const answer = await fetch(`${store.address}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', origin: store.address, ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
    expect(answer.ok, `${path} ${answer.status}`).toBe(true)
    return answer.json()
  }
  const hostile = { ...buyer, name: script.slice(0, 78) } // as long as a name may be
  const customer = (await call('POST', '/auth/sign-up/email', '', hostile)).token
  const owner = (await call('POST', '/auth/sign-in/email', '', adminCredentials)).token
  const picture = `https://pictures.invalid/"onerror="ran=1"><script>ran=1</script>.png`
  const tool = await call('POST', '/tools', owner, {
    name: script,
    img: picture,
    description: script,
    price: 12,
    minimum_order_quantity: 1,
    available_quantity: 40,
  })
  const order = await call('POST', '/purchase', customer, {
    toolId: tool._id,
    productName: script,
    productQuantity: 2,
    productCost: 24,
    buyerAddress: script,
    phone_number: `${script.slice(0, 40)}`,
  })
  await call('PUT', `/users/${buyer.email}`, customer, {
    picture,
    education: script,
    location: script,
    phone: '+44 20 7946',
    linkedIn: `linkedin.com/in/${inAddress}?"><script>ran=1</script>`,
  })
  await call('POST', '/reviews', customer, { name: script, img: picture, about: script, rating: 5 })

  let screens = 0
  const look = async (addresses: string[]) => {
    for (const address of addresses) {
      await page.goto(address)
      if (isFullRun) await page.waitForLoadState('networkidle')
      else await waitUntilSettled(page)
      expect(await page.evaluate(() => 'ran' in window), address).toBe(false)
      screens++
    }
  }
  const withStoredFields = ['/', '/allproducts', `/purchase/${tool._id}`, '/outbox']
  /** These show nothing that was stored. A sample leaves them out: on whatever page a journey comes to, a broken rule is its fault. */
  const withoutStoredFields = isFullRun ? ['/blogs', '/myportfolio', '/login', '/register', '/api/docs'] : []
  const seenByAll = [...withStoredFields, ...withoutStoredFields]
  /** What the signed-in look at again: in a sample the bar with their name, and the form that knows them. */
  const seenByCustomer = isFullRun ? seenByAll : [`/purchase/${tool._id}`]
  const seenByAdmin = isFullRun ? seenByAll : []
  const withScript = [
    `/${inAddress}`,
    `/purchase/${inAddress}`,
    `/?signed-out=${inAddress}`,
    `/allproducts?q=${inAddress}&category=${inAddress}`,
    `/login?from=${inAddress}`,
    `/login?from=javascript:ran=1`,
    `/login/google?error=${inAddress}&error_description=${inAddress}`,
    `/login/google#email=${inAddress}&name=${inAddress}`,
    `/reset-password#${inAddress}`,
    `/verify-email#${inAddress}`,
  ]
  await look([...seenByAll, ...withScript.filter((_, of) => isFullRun || of % 4 === 0)])
  await page.goto(`/outbox?key=${store.outboxKey}`)
  await page.getByRole('listitem').filter({ hasText: buyer.email }).first().getByRole('link').click()
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  await expect(page.locator('pre')).toContainText(script.slice(0, 60))
  const inFrame = page.frameLocator('iframe[src$="/html"]')
  await expect(inFrame.locator('body')).not.toBeEmpty()
  await expect(inFrame.locator('script, img, svg')).toHaveCount(0)

  const dashboard = ['/dashboard', '/dashboard/addreview', `/dashboard/payment/${order._id}`, '/dashboard/myorder']
  await restoreSession(page, hostile, customer)
  await look([...seenByCustomer, ...dashboard])
  await expect(page.getByText(script).first()).toBeVisible()

  await signInAsAdmin(page)
  const ofAdmin = ['/dashboard/manageallorders', '/dashboard/reviews', '/dashboard/allusers', '/dashboard/manageproducts']
  const withLittleStored = ['/dashboard', '/dashboard/overview', '/dashboard/tosend', '/dashboard/receivables', '/dashboard/addatool']
  await look([...seenByAdmin, ...ofAdmin, ...(isFullRun ? withLittleStored : [])])

  expect(broken).toEqual([])
  info.annotations.push({ type: 'figure', description: `${screens} looks at screens by a visitor, a customer and an admin` })
})

test('E7 a sign-in leads back to a page of the store, whatever the address says', fullRunJourney, async ({ page, buyer, store }, info) => {
  await registerByApi(page, buyer)
  const places = ['//evil.invalid', '/\\evil.invalid', 'https://evil.invalid/', 'javascript:alert(1)', '/\t/evil.invalid']
  const tried = isFullRun ? places : places.slice(0, 2) // one by Google, one by password
  for (const from of tried) {
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())
    await page.goto(`/login?${new URLSearchParams({ from })}`)
    if (from === places[0]) {
      await page.getByRole('button', { name: 'Continue with Google' }).click()
      await page.getByLabel('Name').fill('Mia')
      await page.getByLabel('E-mail').fill(`mia.${buyer.email}`)
      await page.getByRole('button', { name: 'Go on as this person' }).click()
    } else await signIn(page, buyer)
    await page.waitForURL('**/home')
    expect(new URL(page.url()).origin, from).toBe(store.address)
  }
  info.annotations.push({ type: 'figure', description: `${tried.length} addresses, by password and by Google` })
})
