import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { formatNumber } from '#shared/format-number.ts'
import { amountToCents, formatCents } from '#shared/money.ts'
import { listOwnPrices } from '#store/catalogue/pricing/own-prices.ts'
import * as catalogue from '#store/catalogue/rules.ts'
import { costOf, listCostOf, termsForBuyer } from '#store/catalogue/settle-quantity.ts'
import type { User } from '#store/identity/contract.ts'
import type { PlacePurchaseBody, Purchase } from './contract.ts'
import type { RefusalWording } from './order-refusals.ts'
import { type OrderPolicy, type PlacementContext, placeOrder } from './place-order.ts'
import { toPurchase } from './purchases.ts'

type PurchaseRequest = z.output<typeof PlacePurchaseBody>

const purchaseRefusals: RefusalWording = {
  namesShortLines: false,
  quantityField: () => 'productQuantity',
  totalChangedError: (totalCents, [line]) =>
    new HttpError(
      409,
      `The price has changed: ${formatNumber(line?.quantity ?? 0)} pieces now cost ${formatCents(totalCents)}`,
      undefined,
      {
        code: 'price_changed',
      },
    ),
}

/** Places an order of one line, as the specification's call asks for it. See `placeOrder` for what it throws. */
export async function placePurchase(
  db: Database,
  buyer: User,
  request: PurchaseRequest,
  terms: OrderPolicy,
  context: PlacementContext,
): Promise<{ purchase: Purchase; isNew: boolean }> {
  const { productQuantity: quantity, productCost, buyerAddress, phone_number, discountCode } = request
  const productId = request.toolId ?? (await findProductByNameAndCost(db, buyer, request))
  const order = {
    lines: [{ productId, quantity }],
    buyerAddress,
    phone_number,
    discountCode,
    expectedTotalCents: amountToCents(productCost),
    acceptsListTotal: true,
  }
  const placed = await placeOrder(db, buyer, order, terms, context, { hashedBody: request, refusals: purchaseRefusals })
  const [line] = placed.order.lines
  if (!line) throw new Error(`Order ${placed.order.number} has no line`)
  return { purchase: toPurchase(placed.order, line), isNew: placed.isNew }
}

async function findProductByNameAndCost(
  db: Database,
  buyer: User,
  { productName, productCost, productQuantity }: PurchaseRequest,
): Promise<string> {
  const named = await catalogue.findProductsNamed(db, productName)
  const ids = named.map(({ _id }) => _id)
  const own = new Map((await listOwnPrices(db, buyer.id, ids)).map(({ productId, price }) => [productId, price]))
  const costs = (product: (typeof named)[number]) => [
    costOf(termsForBuyer(product, own.get(product._id)), productQuantity),
    costOf(product, productQuantity),
    listCostOf(product, productQuantity),
  ]
  const [product, ...others] = named.length > 1 ? named.filter((product) => costs(product).includes(amountToCents(productCost))) : named
  if (!product) throw new HttpError(404, 'There is no such product')
  if (others.length > 0)
    throw new HttpError(409, 'Several products have this name and price: send toolId', undefined, { code: 'ambiguous_product' })
  return product._id
}
