import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useNavigationType, useRevalidator } from 'react-router'
import { inStock, showTool, type Tool } from '#store/catalogue/contract.ts'
import { ToolPicture } from '#store/catalogue/screens/tool-picture.tsx'
import { SignInEnded } from '#store/identity/screens/sign-in-ended.tsx'
import { type Order, placeOrder } from '#store/orders/contract.ts'
import { typedWholeNumber } from '#store/typed-whole-number.ts'
import { useAccount } from '#web/account.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { useCheckedForm } from '#web/checked-form.ts'
import { forgetDraft, keptDraft, useDraft } from '#web/draft.ts'
import { Field } from '#web/field.tsx'
import { focused } from '#web/focused.ts'
import { useScript } from '#web/form.ts'
import { Dollars, GroupedDigits } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Refusal } from '#web/refusal.ts'
import { orNotFound, send } from '#web/send.ts'
import { toast } from '#web/toast.tsx'
import type { Route } from './+types/purchase'
import { type Typed, typedPurchaseForm } from './purchase-form.ts'
import { Quantity, useQuantity, type Wanted } from './quantity.tsx'

export async function clientLoader({ params, request }: Route.ClientLoaderArgs) {
  const tool = await send(showTool, { params: { id: params.id } }).catch(orNotFound)
  return { tool, wanted: typedWholeNumber(new URL(request.url).searchParams.get('quantity') ?? '') }
}

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData ? `Order ${loaderData.tool.name}` : 'Order'} | Nucleus of PC` },
]

export default function Purchase({ loaderData: { tool, wanted } }: Route.ComponentProps) {
  const account = useAccount()
  const [placed, setPlaced] = useState<Order>()
  return (
    <Page title={tool.name}>
      <div className="flex flex-col gap-6 sm:flex-row">
        <ToolPicture tool={tool} first className="aspect-3/2 w-full self-start sm:w-60" />
        <div className="flex min-w-0 flex-col gap-2">
          <p className="text-xl font-semibold">
            Price: $<GroupedDigits number={tool.price} />
          </p>
          <p>{tool.description}</p>
          <p>
            Minimum Order Quantity: <GroupedDigits number={tool.minimum_order_quantity} />
          </p>
          <p>
            Available Quantity: <GroupedDigits number={tool.available_quantity} />
          </p>
          <p className="text-soft">
            minimum <GroupedDigits number={tool.minimum_order_quantity} /> = <Dollars amount={tool.minimum_order_quantity * tool.price} />
          </p>
        </div>
      </div>
      {placed?.toolId === tool._id ? (
        <Placed order={placed} />
      ) : inStock(tool) ? (
        <BuyerForm key={`${tool._id} ${wanted} ${account?.email}`} tool={tool} wanted={wanted} onPlaced={setPlaced} />
      ) : (
        <Notice kind="warning" title="Out of stock" action={<ButtonLink to="/allproducts">All Tools Have on Stock</ButtonLink>}>
          The smallest order is {tool.minimum_order_quantity} pieces, and {tool.available_quantity} are left.
        </Notice>
      )}
    </Page>
  )
}

function BuyerForm({ tool, wanted, onPlaced }: { tool: Tool; wanted: number; onPlaced: (order: Order) => void }) {
  const account = useAccount()
  const script = useScript()
  const { revalidate } = useRevalidator()
  const [refused, setRefused] = useState<Refusal>()
  const draft = `purchase ${tool._id} ${account?.email}` // whoever signs in next in this tab types their own
  const cameByLink = useNavigationType() === 'PUSH'
  const kept = keptDraft<Typed>(draft)
  const form = useCheckedForm({
    resolver: zodResolver(typedPurchaseForm(tool)),
    defaultValues: {
      address: '',
      phone_number: '',
      ...kept,
      // The quantity of the link that was just followed is a newer wish than an old draft; after a reload or a sign-in the draft is.
      quantity: (!(wanted && cameByLink) && kept.quantity) || String(wanted || tool.minimum_order_quantity),
    },
  })
  const { register, handleSubmit, formState, setError } = form
  useDraft(form, draft)

  const wish = useQuantity(tool, form)
  const { quantity, trouble, toldTrouble } = wish
  const cost = quantity * tool.price

  const submit = handleSubmit(async ({ address, phone_number }) => {
    setRefused(undefined)
    try {
      const order = await send(placeOrder, {
        idempotencyKey: requestKey(draft, { address, phone_number, quantity, cost }),
        body: {
          toolId: tool._id,
          productName: tool.name,
          productQuantity: quantity,
          productCost: cost,
          buyerAddress: address,
          phone_number,
        },
      })
      forgetDraft(draft)
      sessionStorage.removeItem(`request of ${draft}`)
      toast('order placed successfully')
      onPlaced(order)
      await revalidate() // the stock above has changed with it
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      toast(refusal.message, { kind: 'error' })
      setRefused(refusal)
      if (refusal.errors.buyerAddress) setError('address', { message: refusal.errors.buyerAddress })
      if (refusal.errors.phone_number) setError('phone_number', { message: refusal.errors.phone_number })
      if (refusal.status === 409) await revalidate() // the shop has changed: what the form compares with follows
    }
  })

  return (
    <form method="post" onSubmit={submit} noValidate={script} className="flex max-w-form flex-col gap-4 border-t border-line pt-6">
      <h2 className="text-xl">Who orders, and where it goes</h2>
      <Field label="Name" value={account?.name ?? ''} readOnly hint="Name and e-mail are your account's" />
      <Field label="E-mail" value={account?.email ?? ''} readOnly />
      <Field
        label="Address"
        rows={3}
        autoComplete="street-address"
        required
        hint="Required. Street, town, postal code and country"
        error={formState.errors.address?.message}
        {...register('address')}
      />
      <Field
        label="Phone number"
        type="tel"
        autoComplete="tel"
        required
        hint="Required. With country code, like +1 555 010 0199. Only for delivery questions"
        error={formState.errors.phone_number?.message}
        {...register('phone_number')}
      />
      <Quantity tool={tool} form={form} wanted={wish} />
      {refused && <RefusedOrder refusal={refused} />}
      <Cost wish={wish} tool={tool} />
      <Button
        type="submit"
        disabled={trouble !== undefined}
        busy={formState.isSubmitting}
        busyWords="Ordering"
        aria-describedby={toldTrouble && 'why-not'}
      >
        {trouble ? 'Order' : `Order ${quantity} for $${cost.toLocaleString('en-US')}`}
      </Button>
    </form>
  )
}

/** The cost follows every key; what is heard waits for a pause. Where the quantity cannot be ordered, the reason stands in its place. */
function Cost({ wish: { quantity, settled, toldTrouble }, tool }: { wish: Wanted; tool: Tool }) {
  const cost = Number.isNaN(quantity) ? (
    <>
      <Dollars amount={tool.price} /> each
    </>
  ) : (
    <>
      <GroupedDigits number={quantity} /> x <Dollars amount={tool.price} /> ={' '}
      <Dollars amount={quantity * tool.price} className="font-semibold" />
    </>
  )
  return (
    <div className="text-lg">
      {!toldTrouble && <p aria-hidden="true">{cost}</p>}
      <p id="why-not" role="status" className={toldTrouble ? 'text-bad' : 'sr-only'}>
        {toldTrouble ?? (settled && cost)}
      </p>
    </div>
  )
}

function RefusedOrder({ refusal }: { refusal: Refusal }) {
  if (refusal.status === 401) return <SignInEnded />
  if (refusal.leavesInDoubt)
    return (
      <Notice kind="error" title={refusal.message} ref={focused}>
        We do not know whether your order has arrived. What you typed is kept: order again, and it will be one order, not two.
      </Notice>
    )
  if (refusal.status === 404)
    return (
      <Notice
        kind="error"
        title={refusal.message}
        ref={focused}
        action={<ButtonLink to="/allproducts">All Tools Have on Stock</ButtonLink>}
      >
        It has left the catalogue while you were here. Nothing was ordered.
      </Notice>
    )
  return (
    <Notice kind="error" title={refusal.message} ref={focused}>
      Nothing was ordered, and what you typed is kept.{' '}
      {refusal.status === 409 ? 'The figures above are new: look at them, then order again.' : 'Mend it and order again.'}
    </Notice>
  )
}

function Placed({ order }: { order: Order }) {
  return (
    <Notice
      kind="success"
      title="order placed successfully"
      ref={focused}
      action={
        <div className="flex flex-wrap gap-3">
          <ButtonLink to={`/dashboard/payment/${order._id}`}>
            Pay <Dollars amount={order.productCost} />
          </ButtonLink>
          <ButtonLink to="/dashboard/myorder" look="quiet">
            My Orders
          </ButtonLink>
        </div>
      }
    >
      Order {order.number}: {order.productQuantity} x {order.productName} for <Dollars amount={order.productCost} />. The pieces are held
      for you; it is not paid yet.
    </Notice>
  )
}

/**
 * One name for one wish: sent again unchanged, after a lost answer or a second press, it is the same order. A changed wish is another, and so is
 * the next one after an order was placed.
 */
function requestKey(draft: string, wish: object): string {
  const place = `request of ${draft}`
  const kept: { wish?: string; key?: string } = JSON.parse(sessionStorage.getItem(place) ?? '{}')
  const said = JSON.stringify(wish)
  const key = kept.wish === said && kept.key ? kept.key : crypto.randomUUID()
  sessionStorage.setItem(place, JSON.stringify({ wish: said, key }))
  return key
}
