import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

/** All pages of the store by path. */
export default [
  index('pages/screens/home.tsx', { id: 'home' }),
  route('home', 'pages/screens/home.tsx', { id: 'home-by-name' }),
  route('allproducts', 'search/screens/all-products.tsx'),
  route('compare', 'catalogue/screens/compare.tsx'),
  route('products/:id', 'catalogue/screens/product.tsx'),
  route('products/:id/reviews', 'reviews/screens/product-review-list.tsx'),
  route('cart', 'cart/screens/cart.tsx', [index('checkout/screens/cart-estimate.tsx')]),
  route('cart/shared/:id', 'cart/screens/shared-cart.tsx'),
  route('checkout', 'checkout/screens/checkout.tsx'),
  route('blogs', 'pages/screens/blogs.tsx'),
  route('help', 'pages/screens/help.tsx'),
  route('myportfolio', 'pages/screens/portfolio.tsx'),
  route('login', 'pages/screens/login.tsx'),
  route('login/google', 'identity/screens/google-callback.tsx'),
  route('register', 'pages/screens/register.tsx'),
  route('reset-password', 'identity/screens/reset-password.tsx'),
  route('order/:id', 'orders/screens/guest-order.tsx'),
  route('withdraw/:id', 'orders/screens/withdraw.tsx'),
  route('verify-email', 'identity/screens/verify-email.tsx'),

  layout('dashboard/screens/signed-in.tsx', [
    route('purchase/:id', 'orders/screens/purchase.tsx'),
    route('dashboard', 'dashboard/screens/dashboard.tsx', [
      index('profiles/screens/my-profile.tsx'),
      route('addreview', 'reviews/screens/add-review.tsx'),
      route('review/:id', 'reviews/screens/review-product.tsx'),
      route('myorder', 'orders/screens/my-orders.tsx'),
      route('on-account', 'orders/screens/own-account.tsx'),
      route('myorder/:id', 'orders/screens/my-order.tsx', [index('cart/screens/order-again.tsx')]),
      route('payment/:id', 'orders/screens/payment.tsx'),
      layout('identity/screens/admin-only.tsx', [
        route('overview', 'overview/screens/overview.tsx'),
        route('allusers', 'identity/screens/all-users.tsx'),
        route('changedprofiles', 'profiles/screens/changed-profiles.tsx'),
        route('manageproducts', 'search/screens/manage-products.tsx'),
        route('manageallorders', 'orders/screens/all-orders.tsx'),
        route('order/:id', 'orders/screens/order.tsx'),
        route('tosend', 'orders/screens/to-send.tsx'),
        route('send/:id', 'orders/screens/send-order.tsx'),
        route('returns', 'orders/screens/returns/returns.tsx'),
        route('reviews', 'reviews/screens/all-reviews.tsx'),
        route('addatool', 'catalogue/screens/add-product.tsx'),
        route('prices', 'catalogue/screens/prices/prices.tsx'),
        route('import', 'imports/screens/import.tsx'),
        route('receivables', 'orders/screens/receivables.tsx'),
        route('seller', 'orders/screens/seller.tsx'),
        route('bank', 'orders/screens/bank.tsx'),
        layout('delivery/screens/with-cost-preview.tsx', [
          route('tax', 'tax/screens/tax.tsx'),
          route('delivery', 'delivery/screens/delivery.tsx'),
        ]),
      ]),
    ]),
    layout('dashboard/screens/dashboard.tsx', { id: 'dashboard-company' }, [
      route('company', 'companies/screens/company.tsx'),
      route('company/invitations/:id', 'companies/screens/invitation.tsx'),
    ]),
    layout('identity/screens/admin-only.tsx', { id: 'admin-only-instrument' }, [
      route('instrument/:id', 'catalogue/screens/update-product.tsx'),
    ]),
  ]),

  // component gallery for development, not in the production build
  ...(process.env.NODE_ENV === 'production' ? [] : [route('design', 'pages/screens/design.tsx')]),

  route('*', 'pages/screens/not-found.tsx'),
] satisfies RouteConfig
