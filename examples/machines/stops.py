"""A mass between two stops, by fixed steps. The mistake: a stop is noticed at the end of a step only."""
import math

m, k, c, F, omega, gap, e = 1.0, 100.0, 2.0, 30.0, 14.0, 0.1, 0.8
h, until = 1e-3, 3.0
x = v = 0.0
print("t,x,v")
for i in range(int(until / h) + 1):
    t = i * h
    print(f"{t!r},{x!r},{v!r}")
    # a step of the classical Runge-Kutta method
    def rate(t, x, v):
        return v, (F * math.cos(omega * t) - k * x - c * v) / m
    a1, b1 = rate(t, x, v)
    a2, b2 = rate(t + h / 2, x + h / 2 * a1, v + h / 2 * b1)
    a3, b3 = rate(t + h / 2, x + h / 2 * a2, v + h / 2 * b2)
    a4, b4 = rate(t + h, x + h * a3, v + h * b3)
    x += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    v += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
    if abs(x) > gap and x * v > 0:
        v = -e * v
