/* SPDX-License-Identifier: MIT */
/**
 * Closed-form outcome of the impact of a mass m, at speed v0, on a contact with the force F = K d^n
 * (1 + a d'/v0).
 *
 * With u = d'/v0, F = -m d'' separates: u du/(1 + a u) = -K d^n dd/(m v0^2). With h(x) = x - ln(1 +
 * x), its integral is
 *
 *     (h(a) - h(a u))/a^2 = K d^(n+1)/((n + 1) m v0^2).
 *
 * d returns to 0 at u = -e, where h(-a e) = h(a), whatever K, m, n and v0. (Equivalently, a e = 1 +
 * W_0(-(1 + a) exp(-(1 + a))).) d is greatest at u = 0, and F where h(a) - h(a u) = n a u/(n + 1).
 */
#pragma once

/**
 * Coefficient of restitution, in (0, 1], for a damping a >= 0; accurate to rounding. NAN for a < 0.
 */
double ic_effective_restitution(double a);

/**
 * (h(a) - h(a u))/a^2: the energy in the spring when d'/v0 = u, as a fraction of m v0^2. Without
 * damping, (1 - u^2)/2.
 */
double ic_energy_in_spring(double a, double u);

/** u at the greatest force, in [0, 1), for damping a >= 0 and power n > 0. */
double ic_velocity_at_peak_force(double a, double n);

/** Greatest indentation, m, for mass m (kg), stiffness K (N/m^n) and impact speed v0 (m/s). */
double ic_peak_indentation(double a, double n, double m, double K, double v0);

/** Greatest force, N. */
double ic_peak_force(double a, double n, double m, double K, double v0);
