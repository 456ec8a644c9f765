import { TextLink } from '#web/text-link.tsx'

/** For visitors who came for a purchase: what is in the basket is ordered without an account. */
export const OrderWithoutAccount = ({ productUrl }: { productUrl: string }) => (
  <p className="for-visitors mb-6">
    No account? <TextLink to={productUrl}>Add it to the basket on its page</TextLink>: an order of the basket needs none.
  </p>
)
