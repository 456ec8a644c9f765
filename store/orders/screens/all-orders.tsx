export default function Screen() { return <h1>orders/screens/all-orders</h1> }
