/* SPDX-License-Identifier: MIT */
/* Siconos numerics 4.4, whose matrices are stored by columns. */
#include "adapters/siconos_lcp.h"

#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>
#include <stdlib.h>
#include <string.h>

bool ic_siconos_lcp(double *w, const double *M, const double *q, size_t n)
{
    double *by_columns = malloc(n * (n + 2) * sizeof *by_columns);
    if (by_columns == NULL) return false;
    double *rest = by_columns + n * n, *z = rest + n;
    memcpy(rest, q, n * sizeof *rest);
    for (size_t i = 0; i < n; i++) {
        w[i] = z[i] = 0;
        for (size_t j = 0; j < n; j++) by_columns[j * n + i] = M[i * n + j];
    }
    SolverOptions *options = solver_options_create(SICONOS_LCP_LEMKE);
    NumericsMatrix *matrix = NM_create_from_data(NM_DENSE, (int)n, (int)n, by_columns);
    LinearComplementarityProblem problem = {(int)n, matrix, rest};
    const int info = linearComplementarity_driver(&problem, z, w, options);
    matrix->matrix0 = NULL; /* by_columns */
    NM_free(matrix);
    solver_options_delete(options);
    free(options);
    free(by_columns);
    return info == 0;
}
